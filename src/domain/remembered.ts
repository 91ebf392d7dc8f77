/** A test of texts that remembers a few of those that passed it: for texts of which the same ones come with every
 *  request. */
export function remembered(passes: (text: string) => boolean): (text: string) => boolean {
  const passed = new Set<string>()
  return (text) => {
    if (passed.has(text)) return true
    const hasPassed = passes(text)
    // A copy, as what was cut out of a long text keeps the whole of it.
    if (hasPassed && passed.size < mostTexts && text.length <= mostCharacters) passed.add(copied(text))
    return hasPassed
  }
}

const mostTexts = 100
const mostCharacters = 300

const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** A text about a number, kept until it is asked for another: for moments, which under load many requests share. */
export function keepingLast(textOf: (about: number) => string): (about: number) => string {
  let last = { about: Number.NaN, text: '' }
  return (about) => {
    if (about !== last.about) last = { about, text: textOf(about) }
    return last.text
  }
}

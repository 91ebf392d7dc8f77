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

/** What is told about something, kept until something else is asked about: for what many requests in a row share. Of an
 *  object nothing may ever change. */
export function keepingLast<About, Told>(tell: (about: About) => Told): (about: About) => Told {
  let last: { about: About; told: Told } | null = null
  return (about) => {
    if (about !== last?.about) last = { about, told: tell(about) }
    return last.told
  }
}

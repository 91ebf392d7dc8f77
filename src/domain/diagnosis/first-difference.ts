const shownCharacters = 16

/** Index of the first character in which two texts differ; the length of the shorter one if it is where the other
 *  begins. */
export function firstDifference(a: string, b: string): number {
  let index = 0
  while (index < a.length && index < b.length && a[index] === b[index]) index++
  return index
}

/** The same in words. Nothing for equal texts. */
export function differenceInWords(signed: string, wanted: string): string {
  if (signed === wanted) return ''
  const index = firstDifference(signed, wanted)
  // Two Unicode forms of a text look the same.
  const show = signed.normalize() === wanted.normalize() ? escaped : shown
  return `from index ${index} you signed ${show(signed, index)} instead of ${show(wanted, index)}`
}

const escaped = (text: string, index: number) =>
  shown(text, index).replaceAll(
    /[\u0080-\u2025\u2027-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function shown(text: string, index: number): string {
  if (index >= text.length) return 'nothing more'
  // A line end must be seen, and half a surrogate pair must not be shown.
  const rest = JSON.stringify(text.slice(index, index + shownCharacters).toWellFormed()).slice(1, -1)
  return `\`${rest}${text.length > index + shownCharacters ? '…' : ''}\``
}

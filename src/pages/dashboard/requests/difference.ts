/** A part of a text, and whether it is where the text departs from the other. */
export interface Piece {
  readonly text: string
  readonly differs: boolean
}

/** Two texts in pieces: what they begin with in common, where they differ, what they end with in common. Pieces end
 *  between whole characters. */
export function piecesOf(wanted: string, signed: string): readonly [wanted: Piece[], signed: Piece[]] {
  const [a, b] = [[...wanted], [...signed]]
  const shorter = Math.min(a.length, b.length)
  let begin = 0
  while (begin < shorter && a[begin] === b[begin]) begin++
  let end = 0
  while (end < shorter - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [inPieces(a, begin, end), inPieces(b, begin, end)]
}

function inPieces(characters: readonly string[], begin: number, end: number): Piece[] {
  const to = characters.length - end
  const pieces = [
    { text: characters.slice(0, begin).join(''), differs: false },
    { text: characters.slice(begin, to).join(''), differs: true },
    { text: characters.slice(to).join(''), differs: false },
  ]
  // Where one text has nothing, that is what differs.
  return pieces.filter(({ text, differs }) => differs || text !== '')
}

/** A character as somebody can see it, and the name of one that nobody could; null for those that show. */
export function visible(character: string): { readonly sign: string; readonly name: string } | null {
  const known = signs[character]
  if (known !== undefined) return { sign: known[0], name: known[1] }
  const code = character.codePointAt(0) ?? 0
  if (code > 0x20 && code < 0x7f) return null
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  // Letters of other scripts show; what combines, is blank or controls does not, or not as what it is.
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? null : { sign: `‹${name}›`, name }
}

const signs: Readonly<Record<string, readonly [sign: string, name: string]>> = {
  ' ': ['␣', 'space'],
  '\n': ['␊', 'line feed'],
  '\r': ['␍', 'carriage return'],
  '\t': ['␉', 'tab'],
  '\u00a0': ['⍽', 'no-break space (U+00A0)'],
}

import { type Piece, piecesOf, visible } from './difference.ts'

/** What had to be signed above what was signed, letter under letter, with the place marked where they part. */
export function DifferenceView({ wanted, signed }: { wanted: string; signed: string }) {
  const [wantedPieces, signedPieces] = piecesOf(wanted, signed)
  // Two Unicode forms of a text look the same, so where nothing else tells them apart their numbers are shown.
  const lookAlike = wanted.normalize() === signed.normalize()
  const width = Math.max(widthOf(wantedPieces, lookAlike), widthOf(signedPieces, lookAlike))
  return (
    <div class="difference" tabindex={0}>
      <table>
        <tbody>
          <Line name="To sign" pieces={wantedPieces} numbers={lookAlike} width={width} id="string-to-sign" />
          <Line
            name="You signed"
            pieces={signedPieces}
            numbers={lookAlike}
            width={width}
            id="signed-string"
          />
        </tbody>
      </table>
    </div>
  )
}

/** One string, with what cannot be seen made visible. */
export function VisibleText({ text, id }: { text: string; id: string }) {
  return (
    <div class="difference" tabindex={0}>
      <code id={id}>
        <Characters text={text} numbers={false} />
      </code>
    </div>
  )
}

function Line({
  name,
  pieces,
  numbers,
  width,
  id,
}: {
  name: string
  pieces: readonly Piece[]
  numbers: boolean
  /** Of what differs in the wider of the two, in characters, so that what follows stands letter under letter. */
  width: number
  id: string
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <code id={id}>
          {pieces.map(({ text, differs }) =>
            differs ? (
              <>
                <mark>
                  {text === '' ? (
                    <span title="nothing">∅</span>
                  ) : (
                    <Characters text={text} numbers={numbers} />
                  )}
                </mark>
                <Padding characters={width - widthOf(pieces, numbers)} />
              </>
            ) : (
              <Characters text={text} numbers={false} />
            ),
          )}
        </code>
      </td>
    </tr>
  )
}

const widest = 60

function Padding({ characters }: { characters: number }) {
  if (characters <= 0 || characters > widest) return null
  return (
    <span class="pad" aria-hidden="true">
      {' '.repeat(characters)}
    </span>
  )
}

/** How many characters what differs takes on the page. */
function widthOf(pieces: readonly Piece[], numbers: boolean): number {
  const text = pieces.find(({ differs }) => differs)?.text ?? ''
  const runs = runsOf(text, numbers)
  return Math.max(
    1,
    runs.reduce((sum, { plain, sign }) => sum + [...(sign ?? plain)].length, 0),
  )
}

/** @param numbers whether letters beyond ASCII are shown as their numbers */
function Characters({ text, numbers }: { text: string; numbers: boolean }) {
  return (
    <>
      {runsOf(text, numbers).map(({ plain, sign, name }) =>
        sign === null ? (
          plain
        ) : (
          <span class="sign" title={name}>
            {sign}
          </span>
        ),
      )}
    </>
  )
}

interface Run {
  readonly plain: string
  readonly sign: string | null
  readonly name: string
}

function runsOf(text: string, numbers: boolean): Run[] {
  const runs: Run[] = []
  let plain = ''
  for (const character of text) {
    const shown = visible(character) ?? (numbers ? numbered(character) : null)
    if (shown === null) {
      plain += character
      continue
    }
    if (plain !== '') runs.push({ plain, sign: null, name: '' })
    plain = ''
    runs.push({ plain: '', ...shown })
  }
  return plain === '' ? runs : [...runs, { plain, sign: null, name: '' }]
}

function numbered(character: string): { sign: string; name: string } | null {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return null
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return { sign: `${character}‹${name}›`, name }
}

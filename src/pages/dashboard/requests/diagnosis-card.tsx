import type * as z from 'zod'
import type { journalEntry } from '../../../control/shapes/request.ts'
import { causeTable } from '../../../domain/diagnosis/causes.ts'
import { Curl } from '../../framework/form.tsx'
import type { Shell } from '../../framework/view.ts'
import { Inline } from '../../reference/prose.tsx'
import { linkToCause } from './causes-page.tsx'

/** A part of a text, and whether the compared text differs there. */
interface Piece {
  readonly text: string
  readonly differs: boolean
}

/** Splits two texts into a common beginning, the difference, and a common end, between whole characters. */
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
  // If one text lacks a part, the empty part is a difference too.
  return pieces.filter(({ text, differs }) => differs || text !== '')
}

/** Makes a character visible, with the name of an invisible one; null for a visible one. */
export function visible(character: string): { readonly sign: string; readonly name: string } | null {
  const known = signs[character]
  if (known !== undefined) return { sign: known[0], name: known[1] }
  const code = character.codePointAt(0) ?? 0
  if (code > 0x20 && code < 0x7f) return null
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  // Letters of other scripts are visible; combining, blank and control characters are not.
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? null : { sign: `‹${name}›`, name }
}

const signs: Readonly<Record<string, readonly [sign: string, name: string]>> = {
  ' ': ['␣', 'space'],
  '\n': ['␊', 'line feed'],
  '\r': ['␍', 'carriage return'],
  '\t': ['␉', 'tab'],
  '\u00a0': ['⍽', 'no-break space (U+00A0)'],
}

/** Shows the right text above the signed text, letter under letter, with the difference marked. */
function DifferenceView({ wanted, signed }: { wanted: string; signed: string }) {
  const [wantedPieces, signedPieces] = piecesOf(wanted, signed)
  // Two Unicode forms of a text look the same, so their numbers are shown if nothing else differs.
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

/** Shows a text in which invisible characters are made visible. */
function VisibleText({ text, id }: { text: string; id: string }) {
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
  /** The width of the longer difference in characters, so that the common end is aligned. */
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

/** The width of the difference on the page, in characters. */
function widthOf(pieces: readonly Piece[], numbers: boolean): number {
  const text = pieces.find(({ differs }) => differs)?.text ?? ''
  const runs = runsOf(text, numbers)
  return Math.max(
    1,
    runs.reduce((sum, { plain, sign }) => sum + [...(sign ?? plain)].length, 0),
  )
}

/** @param numbers whether letters beyond ASCII are shown as code points */
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

type Entry = z.output<typeof journalEntry>

const causes: ReadonlyMap<string, readonly [means: string, todo: string]> = new Map(
  Object.entries(causeTable),
)

/** The reason why a request was rejected: problem, place and remedy. */
export function DiagnosisCard({ shell, entry: { diagnosis } }: { shell: Shell; entry: Entry }) {
  if (diagnosis === null) return null
  const { cause, message, stringToSign, signedString } = diagnosis
  const [means, todo] = causes.get(cause) ?? ['', '']
  return (
    <section class="card diagnosis" aria-labelledby="diagnosis">
      <h2 id="diagnosis">
        Refused: <a href={linkToCause(shell, cause)}>{cause}</a>
      </h2>
      <p class="gist">
        <Inline text={message} />
      </p>
      <dl class="remedy">
        <dt>Meaning</dt>
        <dd>
          <Inline text={means} />
        </dd>
        <dt>Fix</dt>
        <dd>
          <Inline text={todo} />
        </dd>
      </dl>
      {stringToSign === undefined ? null : (
        <Strings wanted={stringToSign} signed={signedString} cause={cause} />
      )}
    </section>
  )
}

function Strings({ wanted, signed, cause }: { wanted: string; signed: string | undefined; cause: string }) {
  const isSame = signed === wanted
  // A wrong key is only detected by trying it on the right text.
  const isKey = cause.startsWith('signature.key-')
  return (
    <>
      <h3>
        {signed === undefined || isSame ? 'The string to sign' : 'First difference between the strings'}
      </h3>
      {signed === undefined || isSame ? (
        <VisibleText text={wanted} id="string-to-sign" />
      ) : (
        <DifferenceView wanted={wanted} signed={signed} />
      )}
      {isSame ? <p class="hint">You signed the same string: the mistake is elsewhere.</p> : null}
      {signed !== undefined ? null : (
        <p class="hint">
          {isKey
            ? 'The string was right, but the key was wrong.'
            : 'The string that you signed could not be determined.'}
        </p>
      )}
      <Curl id="string-to-copy" text={wanted} name="the string to sign, to copy" />
    </>
  )
}

import { laidOut } from '../../domain/text/json-text.ts'
import { JsonView } from './json-view.tsx'

/** The characters shown of one text: a megabyte would slow the browser down. */
export const shownCharacters = 64 * 1024

interface LongTextProps {
  readonly id: string
  readonly text: string
  /** The path of the full text, for a text that is too long to be shown. */
  readonly whole?: string | undefined
}

/** Shows a text in a scrolling box. Of a very long text it shows the beginning, with a link to all of it. */
export function LongText({ id, text, whole }: LongTextProps) {
  const isLong = text.length > shownCharacters
  return (
    <>
      <pre id={id} tabindex={0} class="exact">
        <code>{isLong ? text.slice(0, shownCharacters).toWellFormed() : text}</code>
      </pre>
      {isLong ? (
        <p class="hint">
          These are the first {shownCharacters.toLocaleString('en')} of {text.length.toLocaleString('en')}{' '}
          characters. {whole === undefined ? null : <a href={whole}>The full text, as JSON</a>}
        </p>
      ) : null}
      {whole !== undefined && /[\r\0]/.test(text) ? (
        <p class="hint">
          The text has carriage returns or null characters, which browsers change.{' '}
          <a href={whole}>The exact text, as JSON</a>
        </p>
      ) : null}
    </>
  )
}

/** A body: the exact text, and formatted if it is JSON. */
export function BodyText({ id, text, whole }: LongTextProps) {
  const exact = <LongText id={id} text={text} whole={whole} />
  if (text.length > shownCharacters || !isStructured(text)) return exact
  return (
    <div class="beside">
      <div>
        <p class="over">Raw</p>
        {exact}
      </div>
      <div>
        <p class="over">Formatted</p>
        <JsonView id={`${id}-json`} text={text} />
      </div>
    </div>
  )
}

/** Formatted JSON, in colours unless it is very long. */
export function JsonText({ id, text, whole }: LongTextProps) {
  return text.length > shownCharacters || !isStructured(text) ? (
    <LongText id={id} text={laidOut(text)} whole={whole} />
  ) : (
    <JsonView id={id} text={text} />
  )
}

/** Whether a text is a JSON object or list. */
function isStructured(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** Describes the size of a text in bytes. */
export function byteWords(text: string): string {
  const bytes = Buffer.byteLength(text)
  return bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en')} bytes`
}

import { laidOut } from '../../domain/text/json-text.ts'

/** Of one text, a page shows this many characters: a megabyte of it would be in nobody's way but the browser's. */
export const shownCharacters = 64 * 1024

interface LongTextProps {
  readonly id: string
  readonly text: string
  /** Where all of it can be had, if it is too long to be shown; left out where it was answered once. */
  readonly whole?: string | undefined
}

/** A text as it is, in a box that scrolls. Of a very long one the beginning, and the way to the rest. */
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

/** A body: the very text, and if that is JSON on one line, the same laid out beside it. */
export function BodyText({ id, text, whole }: LongTextProps) {
  const laidOut = text.length > shownCharacters ? null : indentedJson(text)
  const exact = <LongText id={id} text={text} whole={whole} />
  if (laidOut === null || laidOut === text) return exact
  return (
    <div class="beside">
      <div>
        <p class="over">Raw</p>
        {exact}
      </div>
      <div>
        <p class="over">Formatted</p>
        <LongText id={`${id}-json`} text={laidOut} whole={whole} />
      </div>
    </div>
  )
}

/** JSON on lines of its own; null for what is none. */
function indentedJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? laidOut(text) : null
  } catch {
    return null
  }
}

/** How many bytes a text has on the wire, in words. */
export function byteWords(text: string): string {
  const bytes = Buffer.byteLength(text)
  return bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en')} bytes`
}

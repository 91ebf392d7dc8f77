import type { Child } from 'hono/jsx'
import { laidOut, nestsDeeper } from '../../domain/text/json-text.ts'

/** Deeper texts are shown without folding: a browser gives up at some hundred nested elements. */
const mostLevels = 50

/** A line of JSON, or an object or list with its lines. */
type Part = string | { readonly head: string; readonly parts: Part[]; tail: string }

/** Shows JSON in colours, each inner object and list foldable, with a button that copies it.
 *  @param text valid JSON, an object or a list */
export function JsonView({ text, id }: { text: string; id: string }) {
  const formatted = laidOut(text)
  return (
    <div class="curl json-view">
      {nestsDeeper(text, mostLevels) ? (
        <pre id={id} tabindex={0}>
          <code>{formatted}</code>
        </pre>
      ) : (
        <section class="json" id={id} tabindex={0} aria-label={id.replaceAll('-', ' ')}>
          {partsOf(formatted).map((part) => (
            <Shown part={part} level={0} />
          ))}
        </section>
      )}
      <button type="button" class="button plain copy scripted-only">
        Copy
      </button>
    </div>
  )
}

function Shown({ part, level }: { part: Part; level: number }): Child {
  if (typeof part === 'string') return <Line text={part} />
  const { head, parts, tail } = part
  const inner = (
    <>
      {parts.map((each) => (
        <Shown part={each} level={level + 1} />
      ))}
      <Line text={tail} />
    </>
  )
  if (level === 0)
    return (
      <>
        <Line text={head} />
        {inner}
      </>
    )
  return (
    <details open>
      <summary>
        <Line text={head} />
      </summary>
      {inner}
    </details>
  )
}

/** The tree of a formatted text. */
function partsOf(formatted: string): readonly Part[] {
  const top: Part[] = []
  const open: Exclude<Part, string>[] = []
  for (const line of formatted.split('\n')) {
    const here = open.at(-1)
    if (/^\s*[\]}]/.test(line)) {
      const closed = open.pop()
      if (closed !== undefined) closed.tail = line
    } else if (/[[{]$/.test(line)) {
      const part = { head: line, parts: [], tail: '' }
      ;(here?.parts ?? top).push(part)
      open.push(part)
    } else (here?.parts ?? top).push(line)
  }
  return top
}

const lineParts = /^(\s*)(?:("(?:[^"\\]|\\.)*")(: ))?(.*?)(,?)$/s

function Line({ text }: { text: string }) {
  const [, indent = '', name, colon = '', value = '', comma = ''] = lineParts.exec(text) ?? []
  return (
    <span class="json-line">
      {indent}
      {name === undefined ? '' : <span class="json-name">{name}</span>}
      {colon}
      <span class={kindOf(value)}>{value}</span>
      {comma}
      {'\n'}
    </span>
  )
}

const kindOf = (value: string): string | undefined =>
  value.startsWith('"')
    ? 'json-text'
    : /^[-\d]/.test(value)
      ? 'json-number'
      : /^[a-z]/.test(value)
        ? 'json-word'
        : undefined

/** A fenced block of a guide, with what the HTML comment before it says about it. */
export interface Block {
  readonly language: string
  readonly text: string
  /** `file: receiver.mjs`, `background: listen`, `output of: listen`, `not run: needs Docker`; null without one. */
  readonly mark: { readonly kind: string; readonly value: string } | null
  /** In the guide, from 1. */
  readonly line: number
}

const kinds = ['file', 'background', 'output of', 'not run']

/** The fenced blocks of a guide, in order. Throws for a comment that no test understands. */
export function blocksOf(markdown: string): Block[] {
  const fences = markdown.matchAll(/(?:^<!-- (.*?) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm)
  return [...fences].map(({ 1: comment, 2: language = '', 3: text = '', index }) => ({
    language,
    text,
    mark: comment === undefined ? null : markOf(comment),
    line: markdown.slice(0, index).split('\n').length,
  }))
}

function markOf(comment: string): { kind: string; value: string } {
  const [, kind = '', value = ''] = /^([^:]+): (.*)$/.exec(comment) ?? []
  if (!kinds.includes(kind)) throw new Error(`<!-- ${comment} --> says nothing that the tests know`)
  return { kind, value }
}

/** Whether each line of what a guide shows stands in an output, in this order. `…` stands for anything, and times for
 *  any time.
 *  @returns the first line that does not; null if all do */
export function missingLine(shown: string, output: string): string | null {
  let rest = output
  for (const line of shown.split('\n').filter((line) => line.trim() !== '')) {
    const match = patternOf(line.trim()).exec(rest)
    if (match === null) return line
    rest = rest.slice(match.index + match[0].length)
  }
  return null
}

const times = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z|\d\d:\d\d:\d\d(?:\.\d{3})?`

function patternOf(line: string): RegExp {
  const parts = line.split(new RegExp(`(${times}|…)`))
  const pattern = parts.map((part, index) => {
    if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+')
    return part === '…' ? '.*' : `(?:${times})`
  })
  return new RegExp(pattern.join(''))
}

import type { FittedWindow, TestedLimit } from './limit-windows.ts'

/** Headers that a limit can set. */
const ofLimits = /rate-?limit/

/** The values of a window, as headers can show them. */
interface WindowValues {
  readonly limit: number
  readonly remaining: number
  readonly period: number
  readonly resetAt: number
  readonly at: number
  readonly ms: number
}

const near = (ms: number, slack: number, text: string, scale: number): boolean =>
  /^\d+$/.test(text) && Math.abs(Number(text) * scale - ms) <= slack

/** The placeholders of headers, each with a test of the text that it writes. */
const placeholders: readonly (readonly [
  placeholder: string,
  test: (text: string, v: WindowValues) => boolean,
])[] = [
  ['${remaining}', (text, { remaining }) => text === String(remaining)],
  ['${limit}', (text, { limit }) => text === String(limit)],
  ['${reset:seconds}', (text, { resetAt, ms }) => near(resetAt, 1000 + ms, text, 1000)],
  ['${reset:milliseconds}', (text, { resetAt, ms }) => near(resetAt, ms, text, 1)],
  [
    '${reset}',
    (text, { resetAt, ms }) =>
      /^[\d-]{10}T[\d:]{8}\.\d{3}Z$/.test(text) && Math.abs(Date.parse(text) - resetAt) <= ms,
  ],
  [
    '${reset:isoSeconds}',
    (text, { resetAt, ms }) =>
      /^[\d-]{10}T[\d:]{8}Z$/.test(text) && Math.abs(Date.parse(text) - resetAt) <= 1000 + ms,
  ],
  ['${resetIn}', (text, { resetAt, at, ms }) => near(resetAt - at, 1000 + ms, text, 1000)],
  ['${period}', (text, { period }) => text === String(period)],
]

/** The headers of a limit, as a setting writes them; null if the answers have other ones. A header whose text is the
 *  same in all answers is a constant if no placeholder writes it.
 *  @param doubts gets the names of headers that several placeholders explain */
export function headersOf(
  windows: readonly FittedWindow[],
  { max, perMs }: TestedLimit,
  doubts: string[],
): Record<string, string> | null {
  const answers = windows.flatMap(({ since, counted, refused }) => {
    const values = { limit: max, period: Math.ceil(perMs / 1000), resetAt: since + perMs }
    return [
      ...counted.map((call, index) => ({ call, values: { ...values, remaining: max - index - 1 } })),
      ...refused.map((call) => ({ call, values: { ...values, remaining: max - counted.length } })),
    ].map(({ call, values }) => ({
      headers: call.exchange.responseHeaders,
      values: { ...values, at: call.at, ms: call.ms },
    }))
  })
  const names = new Set(answers.flatMap(({ headers }) => Object.keys(headers)))
  const found: [string, string][] = []
  for (const name of [...names].filter((each) => ofLimits.test(each))) {
    const texts = answers.map(({ headers }) => headers[name])
    if (texts.includes(undefined)) return null
    const fits = placeholders.filter(([, test]) =>
      answers.every(({ headers, values }) => test(headers[name] ?? '', values)),
    )
    const [first] = fits
    if (first !== undefined) {
      if (fits.length > 1) doubts.push(`the header ${name}`)
      found.push([name, first[0]])
    } else if (new Set(texts).size === 1) found.push([name, texts[0] ?? ''])
    else return null
  }
  return Object.fromEntries(found)
}

/** Whether an answer has a header of a limit. */
export const hasLimitHeader = (headers: Readonly<Record<string, string>>): boolean =>
  Object.keys(headers).some((name) => ofLimits.test(name))

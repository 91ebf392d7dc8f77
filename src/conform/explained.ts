import type { CaseResult, SentWebhook } from './report.ts'

/** A verdict with everything that somebody needs to understand it, as plain text. */
export function explained({ id, level, title, happens, why, finding, note }: CaseResult): string {
  const head = `${id} (${level}) ${title}`
  if (finding === null) return note === null ? head : `${head}: ${note}`
  const { did, should, timeline, sent, curl, repeat } = finding
  return [
    `${head}: ${did}`,
    '',
    `What happens: ${happens}`,
    `Right is:     ${should}`,
    `Why:          ${why}`,
    '',
    ...timeline.map(
      ({ atMs, who, what }) => `  ${`${atMs / 1000} s`.padStart(10)}  ${who.padEnd(7)}  ${what}`,
    ),
    ...(sent === null ? [] : ['', ...sentLines(sent)]),
    ...(curl === null ? [] : ['', `Send it again: ${curl}`]),
    '',
    `Just this again: ${repeat}`,
  ].join('\n')
}

function sentLines({ url, body, status, answer, error }: SentWebhook): string[] {
  const came = status === null ? `no answer (${error ?? 'unknown'})` : `${status} ${answer ?? ''}`
  return [`Sent to ${url}: ${body}`, `Came back: ${came}`]
}

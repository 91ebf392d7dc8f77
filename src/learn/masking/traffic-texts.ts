import type { Evidence } from '../evidence/evidence.ts'
import { parsedJson } from '../evidence/parsed-json.ts'
import type { Exchange } from '../traffic/exchange.ts'

/** Matches the names of fields, parameters and headers with a secret. */
export const secretName = /token|secret|password|passwd|api_?-?key|credential|signature|authorization|cookie/i

/** A text in the traffic with its field. */
export interface FieldText {
  readonly name: string
  /** The name of the field around it; empty at the top. */
  readonly parent: string
  readonly value: string
  /** False for a number. */
  readonly isText: boolean
}

/** All exchanges of a capture. */
const exchangesOf = ({ calls, tokenCalls, webhooks }: Evidence): Exchange[] => [
  ...calls,
  ...tokenCalls,
  ...webhooks.flatMap(({ attempts }) => attempts),
]

/** The secrets that the traffic carries in headers and tokens, and those that were handed in. */
export function secretsOf(evidence: Evidence): Set<string> {
  const { apiSecret, webhookSecret } = evidence.secrets
  const found = new Set<string>()
  for (const secret of [apiSecret, webhookSecret]) if (secret !== null) found.add(secret)
  for (const { token } of evidence.tokenCalls) if (token !== null) found.add(token)
  for (const { headers, responseHeaders } of exchangesOf(evidence)) {
    for (const [name, value] of [...Object.entries(headers), ...Object.entries(responseHeaders)]) {
      if (!secretName.test(name)) continue
      found.add(value)
      // `v1,<base64> v1,<base64>`, `t=1,v1=<hex>`, `Bearer <token>`, `name=value; name=value`.
      for (const part of value.split(/[\s,;]+|=(?=[^=\s,;])/)) if (part.length >= 16) found.add(part)
    }
  }
  return found
}

/** The texts in all bodies and queries of a capture. Equal bodies are read once. */
export function* textsOf(evidence: Evidence): Generator<FieldText> {
  const seen = new Set<string>()
  for (const { query, body, response } of exchangesOf(evidence)) {
    for (const [name, value] of query) yield { name, parent: '', value, isText: true }
    for (const text of [body, response]) {
      if (text === null || seen.has(text)) continue
      seen.add(text)
      yield* textsIn(text)
    }
  }
  for (const { jwt } of evidence.webhooks) if (jwt !== null) yield* fieldsOf('', '', jwt.claims)
}

/** The texts of a body: of JSON, of a form, or what can be read of JSON that is cut off. */
function* textsIn(body: string): Generator<FieldText> {
  const json = parsedJson(body)
  if (typeof json === 'object' && json !== null) yield* fieldsOf('', '', json)
  else if (/^[\w.%[\]-]{1,100}=/.test(body))
    for (const [name, value] of new URLSearchParams(body)) yield { name, parent: '', value, isText: true }
  else
    for (const [, name = '', value = ''] of body.matchAll(
      /"([\w-]{1,60})"\s{0,9}:\s{0,9}"([^"\\]{1,300})"?/g,
    ))
      yield { name, parent: '', value, isText: true }
}

function* fieldsOf(name: string, parent: string, value: unknown): Generator<FieldText> {
  const open = [{ name, parent, value }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, parent, value } = next
    if (typeof value === 'string') yield { name, parent, value, isText: true }
    else if (typeof value === 'number') yield { name, parent, value: String(value), isText: false }
    else if (Array.isArray(value))
      for (const each of value.toReversed()) open.push({ name, parent, value: each })
    else if (typeof value === 'object' && value !== null)
      for (const [own, field] of Object.entries(value).toReversed())
        open.push({ name: own, parent: name, value: field })
  }
}

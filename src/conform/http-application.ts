import { parseDuration } from '../domain/duration.ts'
import type { Answer, Application, Seen } from './application.ts'
import { ProbeFailed } from './application.ts'
import { browserOf, reasonOf } from './browser.ts'
import type {
  Call,
  ConformConfig,
  Given,
  ProbeCall,
  ProbeFunction,
  StartCall,
  StartFunction,
} from './config.ts'
import { WrongConfiguration } from './finding.ts'
import { at, jsonIn } from './json-pointer.ts'
import { filled } from './placeholders.ts'

/** An application as its configuration describes it: by calls over HTTP, or by functions. */
export function applicationOf(config: ConformConfig, webhookUrl: string | null): Application {
  const { start, startSubscription, probe, reconcile, time } = config
  return {
    webhookUrl,
    webhookSignature: config.webhookSignature ?? 'none',
    start: start === undefined ? null : startOf(start),
    startSubscription: startSubscription === undefined ? null : startOf(startSubscription),
    takesText: typeof start === 'function' || JSON.stringify(start ?? {}).includes('{text}'),
    probe: probe === undefined ? null : probeOf(probe),
    reconcile: reconcile === undefined ? null : actOf(reconcile, 'reconcile'),
    time: time === undefined ? null : timeOf(time),
    open: browserOf(config, webhookUrl),
    pollingMs: msOf(config.polling, 10_000),
    settleMs: msOf(config.settle, 500),
    patienceMs: msOf(config.patience, 5_000),
  }
}

const msOf = (text: string | undefined, usualMs: number): number =>
  text === undefined ? usualMs : (parseDuration(text) ?? usualMs)

const callTimeoutMs = 30_000

function startOf(start: StartCall | StartFunction): (given: Given) => Promise<Answer> {
  if (typeof start === 'function') {
    return async (given) => {
      try {
        return { status: null, body: '', requestId: await start(given), error: null }
      } catch (error) {
        return { status: null, body: '', requestId: null, error: reasonOf(error) }
      }
    }
  }
  return async (given) => {
    const answer = await made(withValues(start, { unique: given.unique, text: given.text }))
    const found = start.requestId === undefined ? undefined : at(jsonIn(answer.body), start.requestId)
    return { ...answer, requestId: typeof found === 'string' && found !== '' ? found : null }
  }
}

function probeOf(probe: ProbeCall | ProbeFunction): (requestId: string) => Promise<Seen> {
  if (typeof probe === 'function') {
    return async (requestId) => {
      const probed = await probe(requestId)
      if (probed === null) return unknown
      return { state: stateNamed(probed.status), word: probed.status, effects: probed.effects ?? null }
    }
  }
  return async (requestId) => {
    const call = withValues({ method: 'GET', ...probe }, { requestId })
    const { status, body, error } = await made(call)
    if (status === 404) return unknown
    if (status === null || status < 200 || status > 299)
      throw new ProbeFailed(`${call.method} ${call.url}: ${error ?? `answered ${status}`}`, status)
    return seenIn(jsonIn(body), probe)
  }
}

const unknown: Seen = { state: 'unknown', word: null, effects: 0 }

function seenIn(body: unknown, { status, statuses, effects, perEffect = 1 }: ProbeCall): Seen {
  const word = at(body, status)
  if (word === undefined || word === null)
    throw new WrongConfiguration('probe.status', `the answer has nothing at ${status}: ${shortened(body)}`)
  const count = effects === undefined ? null : counted(at(body, effects))
  if (count === undefined)
    throw new WrongConfiguration('probe.effects', `there is no count at ${effects}: ${shortened(body)}`)
  const [state = 'other'] = (['CREATED', 'COMPLETED', 'FAILED'] as const).filter((name) =>
    [statuses[name] ?? []].flat().includes(String(word)),
  )
  return { state, word: String(word), effects: count === null ? null : count / perEffect }
}

function counted(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length
  if (value === null || value === false) return 0
  if (value === true) return 1
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined
}

function stateNamed(word: string): Seen['state'] {
  return word === 'CREATED' || word === 'COMPLETED' || word === 'FAILED' ? word : 'other'
}

function timeOf(time: Call | ((nowMs: number) => unknown)): (nowMs: number) => Promise<void> {
  if (typeof time === 'function') return async (nowMs) => void (await time(nowMs))
  return (nowMs) => actOf(withValues(time, { now: String(nowMs) }), 'time')()
}

function actOf(act: Call | (() => unknown), member: string): () => Promise<void> {
  if (typeof act === 'function') return async () => void (await act())
  return async () => {
    const { status, error } = await made(act)
    if (status === null || status > 299)
      throw new WrongConfiguration(member, `${act.url}: ${error ?? `answered ${status}`}`)
  }
}

async function made({ method = 'POST', url, headers, body }: Call): Promise<Omit<Answer, 'requestId'>> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(callTimeoutMs),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.text(), error: null }
  } catch (error) {
    return { status: null, body: '', error: reasonOf(error) }
  }
}

function withValues<C extends Call>(call: C, values: Readonly<Record<string, string>>): C {
  return {
    ...call,
    url: filled(call.url, values, encodeURIComponent),
    headers: filled(call.headers, values),
    body: filled(call.body, values),
  }
}

const shortened = (value: unknown): string => (JSON.stringify(value) ?? 'no JSON').slice(0, 200)

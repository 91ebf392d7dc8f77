import { printedOrderStatuses } from '../../domain/order/statuses.ts'
import { parseDuration } from '../../domain/text/duration.ts'
import { didYouMean } from '../../domain/text/issue-words.ts'
import type {
  Call,
  ConformConfig,
  Given,
  ProbeCall,
  ProbeFunction,
  StartCall,
  StartFunction,
} from '../config/config.ts'
import { placeholdersIn } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'
import type { Answer, Application, Seen } from './application.ts'
import { functionCall, ProbeFailed } from './application.ts'
import { answerWords, browserOf, type Called, made, reasonOf, withValues } from './http-call.ts'
import { at, jsonIn, leavesOf } from './json-pointer.ts'

/** Creates the application that a configuration describes, with HTTP calls or functions. */
export function applicationOf(config: ConformConfig, webhookUrl: string | null): Application {
  const { start, startSubscription, probe, cancel, reconcile, time } = config
  const used = new Set<string>(
    typeof start === 'object' ? placeholdersIn([start.url, start.headers, start.body]) : [],
  )
  return {
    webhookUrl,
    webhookSignature: config.webhookSignature ?? 'none',
    start: start === undefined ? null : startOf(start, (name) => used.add(name)),
    startSubscription: startSubscription === undefined ? null : startOf(startSubscription),
    takes: (name) => used.has(name),
    probe: probe === undefined ? null : probeOf(probe),
    probesById: asksById(probe),
    namesOrders: typeof start === 'function' || start?.requestId !== undefined,
    cancel: cancel === undefined ? null : cancelOf(cancel),
    reconcile: reconcile === undefined ? null : actOf(reconcile, 'reconcile'),
    time: time === undefined ? null : timeOf(time),
    open: browserOf(config, webhookUrl),
    pollingMs: msOf(config.polling, 10_000),
    saysItPolls: config.polling !== undefined,
    settleMs: msOf(config.settle, 500),
    actsWithinMs: msOf(config.settle, 500),
    patienceMs: msOf(config.patience, 5_000),
  }
}

const msOf = (text: string | undefined, usualMs: number): number =>
  text === undefined ? usualMs : (parseDuration(text) ?? usualMs)

/** @param onUse called with the name of each value that a function reads */
function startOf(
  start: StartCall | StartFunction,
  onUse: (name: string) => void = () => undefined,
): (given: Given) => Promise<Answer> {
  if (typeof start === 'function') {
    return async (given) => {
      const answer = { call: functionCall, status: null, body: '' }
      const watched = new Proxy(given, {
        get: (values, name, receiver) => {
          if (typeof name === 'string') onUse(name)
          return Reflect.get(values, name, receiver)
        },
      })
      try {
        return { ...answer, requestId: await start(watched), error: null }
      } catch (error) {
        return { ...answer, requestId: null, error: reasonOf(error) }
      }
    }
  }
  return async (given) => {
    const called = await made(withValues(start, { ...given }))
    const answer = jsonIn(called.body)
    const found = start.requestId === undefined ? undefined : at(answer, start.requestId)
    const requestId = typeof found === 'string' && found !== '' ? found : null
    const namesNone = start.requestId !== undefined && requestId === null
    return {
      ...called,
      requestId,
      namesNone,
      ...(start.id !== undefined && { id: nameAt(answer, start.id) }),
    }
  }
}

/** Whether a probe uses the application's own ids. */
const asksById = (probe: ConformConfig['probe']): boolean =>
  typeof probe === 'object' && placeholdersIn([probe.url, probe.headers, probe.body]).includes('id')

/** Reads an order id as text; many applications have numbers. */
function nameAt(answer: unknown, pointer: string): string | null {
  const found = at(answer, pointer)
  return (typeof found === 'string' && found !== '') || typeof found === 'number' ? String(found) : null
}

function probeOf(probe: ProbeCall | ProbeFunction): (requestId: string, id: string | null) => Promise<Seen> {
  if (typeof probe === 'function') {
    return async (requestId) => {
      const probed = await thrownAs(
        (reason) => new ProbeFailed(`${functionCall} \`probe\` threw: ${reason}`, null),
        () => probe(requestId),
      )
      if (probed === null) return unknown
      return { state: stateNamed(probed.status), word: probed.status, effects: probed.effects ?? null }
    }
  }
  return async (requestId, id) => {
    const called = await made(withValues(probe, { requestId, ...(id !== null && { id }) }), 'GET')
    const { call, status } = called
    if (status === 404) return unknown
    if (status === null || status < 200 || status > 299)
      throw new ProbeFailed(`${call} ${answerWords(called)}`, status)
    return seenIn(called, probe)
  }
}

const unknown: Seen = { state: 'unknown', word: null, effects: 0 }

/** @throws WrongConfiguration if the answer has nothing at a configured place */
function seenIn(called: Called, { status, statuses, effects, perEffect = 1 }: ProbeCall): Seen {
  const body = jsonIn(called.body)
  if (body === undefined)
    throw new WrongConfiguration('probe.url', `${called.call} ${answerWords(called)}; expected JSON`)
  const word = at(body, status)
  if (typeof word !== 'string' && typeof word !== 'number' && typeof word !== 'boolean')
    throw notThere('probe.status', status, called, body)
  const count = effects === undefined ? null : counted(at(body, effects))
  if (count === undefined) throw notThere('probe.effects', effects ?? '', called, body)
  const [state = 'other'] = printedOrderStatuses.filter((name) =>
    [statuses[name] ?? []].flat().includes(String(word)),
  )
  return { state, word: String(word), effects: count === null ? null : count / perEffect }
}

function notThere(member: string, pointer: string, called: Called, body: unknown): WrongConfiguration {
  const hint = didYouMean(
    pointer,
    leavesOf(body).map((leaf) => leaf.pointer),
  )
  const wanted = member === 'probe.effects' ? 'no count (a number, a list, or true or false)' : 'no text'
  return new WrongConfiguration(
    member,
    `${called.call} ${answerWords(called)}; there is ${wanted} at ${pointer}${hint}`,
  )
}

function counted(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length
  if (value === null || value === false) return 0
  if (value === true) return 1
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined
}

function stateNamed(word: string): Seen['state'] {
  return printedOrderStatuses.find((name) => name === word) ?? 'other'
}

function timeOf(time: Call | ((nowMs: number) => unknown)): (nowMs: number) => Promise<void> {
  if (typeof time === 'function') return (nowMs) => calledFor('time', () => time(nowMs))
  return (nowMs) => actOf(withValues(time, { now: String(nowMs) }), 'time')()
}

function cancelOf(
  cancel: NonNullable<ConformConfig['cancel']>,
): (requestId: string, id: string | null) => Promise<void> {
  if (typeof cancel === 'function') return (requestId) => calledFor('cancel', () => cancel(requestId))
  return (requestId, id) => actOf(withValues(cancel, { requestId, ...(id !== null && { id }) }), 'cancel')()
}

function actOf(act: Call | (() => unknown), member: string): () => Promise<void> {
  if (typeof act === 'function') return () => calledFor(member, act)
  return async () => {
    const called = await made(act)
    if (called.status === null || called.status > 299)
      throw new WrongConfiguration(member, `${called.call} ${answerWords(called)}`)
  }
}

/** Calls a function of the configuration.
 *  @throws WrongConfiguration if the function throws */
async function calledFor(member: string, act: () => unknown): Promise<void> {
  await thrownAs(
    (reason) => new WrongConfiguration(member, `${functionCall} \`${member}\` threw: ${reason}`),
    act,
  )
}

/** Runs a function of the configuration. `wrapped` makes its error one that does not end the run. */
async function thrownAs<T>(wrapped: (reason: string) => Error, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw wrapped(reasonOf(error))
  }
}

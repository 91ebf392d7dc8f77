import * as z from 'zod'
import { oneLine } from '../../domain/text/issue-words.ts'
import { pause } from '../../time/timers.ts'
import { stopwatch } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import { controlText, nobodyAnswers, Refused, Unreachable } from '../control-call.ts'
import type { Terminal } from '../terminal.ts'
import { readWaitOptions, type WaitOptions } from './wait-command.ts'

const text = z.string().nullish()
/** The fields of the found object that `wait` prints. */
const shown = z.object({
  version: text,
  id: text,
  orderId: text,
  requestId: text,
  orderStatus: text,
  status: z.union([z.string(), z.number()]).nullish(),
  operation: text,
  method: text,
  path: text,
  diagnosis: z.object({ cause: z.string() }).nullish(),
})

/** Formats the found object as one line. */
function waitedLine({ kind, url }: Pick<WaitOptions, 'kind' | 'url'>, answer: unknown): string {
  const thing = shown.parse(answer)
  return oneLine(lines[kind ?? 'health'](thing, url))
}

type Shown = z.output<typeof shown>

const lines: Readonly<
  Record<'health' | NonNullable<WaitOptions['kind']>, (thing: Shown, url: string) => string>
> = {
  health: ({ version }, url) => `${url} is healthy: version ${version}`,
  order: ({ requestId, orderStatus, orderId }) => `order ${requestId} is ${orderStatus} (${orderId})`,
  delivery: ({ id, requestId, orderStatus, status }) =>
    `delivery ${id} of ${requestId}, ${orderStatus}, is ${status}`,
  request: ({ id, method, path, status, diagnosis }) =>
    `request ${id}, ${method} ${path}, was answered ${status}${diagnosis ? ` (${diagnosis.cause})` : ''}`,
}

/** An emulator that is not running cannot be waited for by a call, so it is polled. */
const againAfterMs = 100
/** How much later than requested the emulator may answer. */
const graceMs = 5_000
/** How long a healthy emulator may take to answer, and the minimum time for that even after the timeout. */
const healthMs = { most: 5_000, least: 100 }
/** Temporary: the emulator is starting, or too many calls wait. */
const passing = [429, 503]
/** The HTTP statuses for a wrong call or caller. */
const wrongUsage = [400, 401, 403, 404, 421]

/** Runs `wait`: waits until the emulator is healthy, or an object matches.
 *  @throws CliError */
export async function wait(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const options = readWaitOptions(flags, terminal.env)
  const until = stopwatch() + options.timeoutMs
  let told = false
  for (let leftMs = options.timeoutMs; ; leftMs = Math.max(0, Math.floor(until - stopwatch()))) {
    try {
      const answer = await ask(options, leftMs)
      // The JSON answer is one line: no JSON text contains a line end.
      terminal.out(
        options.json ? answer.replaceAll(/[\r\n]+/g, ' ') : waitedLine(options, JSON.parse(answer)),
      )
      return 0
    } catch (error) {
      if (!mayPass(error)) throw inWords(error, options)
      if (stopwatch() >= until) throw inWords(error, options)
      if (!told) terminal.err(`waiting for the emulator at ${options.url}`)
      told = true
      await pause(againAfterMs)
    }
  }
}

function ask(options: WaitOptions, leftMs: number): Promise<string> {
  const { kind, where, clientId } = options
  if (kind === null) {
    const withinMs = Math.min(healthMs.most, Math.max(healthMs.least, leftMs))
    return controlText(options, 'GET', '/health', undefined, withinMs)
  }
  const query = clientId === null ? '' : `?${new URLSearchParams({ clientId })}`
  const text = JSON.stringify({ for: kind, where, timeoutMs: leftMs })
  return controlText(options, 'POST', `/wait${query}`, { type: 'application/json', text }, leftMs + graceMs)
}

/** Whether the error is temporary, because the emulator may be starting. */
function mayPass(error: unknown): boolean {
  if (error instanceof Refused) return passing.includes(error.status)
  return error instanceof Unreachable || (error instanceof CliError && error.exitCode === 1)
}

function inWords(error: unknown, { url }: WaitOptions): unknown {
  if (error instanceof Unreachable) return nobodyAnswers(url, error)
  if (!(error instanceof Refused)) return error
  return error.status === 408 || error.status === 503
    ? new CliError(1, `error: ${error.message}`)
    : new CliError(
        wrongUsage.includes(error.status) ? 2 : 1,
        `error: ${url} rejects the call: ${error.message}`,
      )
}

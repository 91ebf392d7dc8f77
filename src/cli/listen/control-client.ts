import { request } from 'undici'
import { z } from 'zod'
import { pause } from '../../time/timers.ts'
import { GiveUp } from '../give-up.ts'
import type { ListenOptions } from './options.ts'

const patienceMs = 8_000
const againAfterMs = 250
const answerWithinMs = 5_000

const clientAnswer = z.object({
  webhookSecret: z.string(),
  apiSecret: z.string(),
  webhookUrl: z.string().nullable(),
})
const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/** What `listen` needs to know of its client. */
export type WebhookClient = z.output<typeof clientAnswer>

/** The client as the running emulator has it; waits a while for an emulator that is not up yet.
 *  @param onWait called once, when the emulator does not answer at first
 *  @throws GiveUp */
export async function findClient(
  options: ListenOptions,
  onWait: () => void,
  waitMs = patienceMs,
): Promise<WebhookClient> {
  const until = performance.now() + waitMs
  let waits = false
  for (;;) {
    try {
      return await call(options, 'GET')
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      if (performance.now() >= until) {
        throw new GiveUp(1, `error: no emulator answers at ${options.url}: ${error.message}`)
      }
      if (!waits) onWait()
      waits = true
      await pause(againAfterMs)
    }
  }
}

/** Makes a URL the client's webhook URL. @throws GiveUp */
export function registerUrl(options: ListenOptions, webhookUrl: string): Promise<WebhookClient> {
  return call(options, 'PATCH', { webhookUrl }).catch((error: unknown) => {
    throw error instanceof Unreachable
      ? new GiveUp(1, `error: the emulator at ${options.url} is gone: ${error.message}`)
      : error
  })
}

/** Nothing answers there, for now. */
class Unreachable extends Error {}

async function call(
  { url, clientId, controlToken }: ListenOptions,
  method: 'GET' | 'PATCH',
  patch?: object,
): Promise<WebhookClient> {
  // Not fetch: it refuses some ports (6000, 6666, ...) that an emulator may well have.
  const { statusCode, body: answer } = await request(
    `${url}/_emulator/clients/${encodeURIComponent(clientId)}`,
    {
      method,
      headers: {
        ...(controlToken === null ? {} : { authorization: `Bearer ${controlToken}` }),
        ...(patch === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: patch === undefined ? null : JSON.stringify(patch),
      signal: AbortSignal.timeout(answerWithinMs),
    },
  ).catch((error: unknown) => {
    throw new Unreachable(causeOf(error))
  })
  const body: unknown = await answer.json().catch(() => null)
  const client = clientAnswer.safeParse(body)
  if (statusCode === 200 && client.success) return client.data
  const refusal = errorAnswer.safeParse(body)
  if (refusal.success) throw new GiveUp(2, `error: ${url} refuses: ${refusal.data.error.message}`)
  throw new GiveUp(1, `error: what answers at ${url} (with ${statusCode}) is not this emulator`)
}

/** Why a request came to nothing; of several addresses of one name, the first tells it. */
export function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message
  if (!(error instanceof Error)) return String(error)
  return error.name === 'TimeoutError' ? 'no answer in time' : error.message
}

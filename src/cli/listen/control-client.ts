import * as z from 'zod'
import { pause } from '../../time/timers.ts'
import { controlCall, nobodyAnswers, notAnEmulator, Refused, Unreachable } from '../control-call.ts'
import { GiveUp } from '../give-up.ts'
import type { ListenOptions } from './options.ts'

const patienceMs = 8_000
const againAfterMs = 250

const clientAnswer = z.object({
  webhookSecret: z.string(),
  apiSecret: z.string(),
  webhookUrl: z.string().nullable(),
})

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
      if (performance.now() >= until) throw nobodyAnswers(options.url, error)
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
      ? new GiveUp(1, `error: the emulator at ${options.url} no longer answers: ${error.message}`)
      : error
  })
}

async function call(options: ListenOptions, method: 'GET' | 'PATCH', patch?: object): Promise<WebhookClient> {
  const { url, clientId } = options
  const sent = patch && { type: 'application/json', text: JSON.stringify(patch) }
  const path = `/clients/${encodeURIComponent(clientId)}`
  const body = await controlCall(options, method, path, sent).catch((error: unknown) => {
    throw error instanceof Refused ? new GiveUp(2, `error: ${url} rejects the call: ${error.message}`) : error
  })
  const client = clientAnswer.safeParse(body)
  if (client.success) return client.data
  throw notAnEmulator(url, 200)
}

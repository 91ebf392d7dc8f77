import * as z from 'zod'
import { oneLine } from '../../domain/text/issue-words.ts'
import type { Secrets } from '../../domain/webhook/signature-problem.ts'
import { pause } from '../../time/timers.ts'
import { readReceived, type SettingsSource } from '../../webhooks/event-reader.ts'
import { validSecrets } from '../../webhooks/verification.ts'
import { type SigningSource, Verifier } from '../../webhooks/verifier.ts'
import { CliError } from '../cli-error.ts'
import { controlCall, nobodyAnswers, notAnEmulator, Refused, Unreachable } from '../control-call.ts'
import { stopRequested } from '../stop.ts'
import type { Terminal } from '../terminal.ts'
import {
  eachEvent,
  type ListenOptions,
  openReceiver,
  type Received,
  type Receiver,
  readListenOptions,
  receivedLine,
  receivedRecord,
} from './receiver.ts'

const patienceMs = 8_000
const againAfterMs = 250

const clientAnswer = z.object({
  webhookSecret: z.string(),
  apiSecret: z.string(),
  webhookUrl: z.string().nullable(),
  previousWebhookSecret: z.object({ secret: z.string(), validUntil: z.number() }).optional(),
  clock: z.object({ now: z.number(), speed: z.number() }),
})

/** The fields of a client in the control API that `listen` reads. */
type WebhookClient = z.output<typeof clientAnswer>

/** Reads the client from the running emulator, and waits a while for an emulator that is starting.
 *  @param onWait called once if the emulator does not answer at first
 *  @throws CliError */
async function findClient(
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

/** Sets the client's webhook URL.
 *  @throws CliError */
function registerUrl(options: ListenOptions, webhookUrl: string): Promise<WebhookClient> {
  return call(options, 'PATCH', { webhookUrl }).catch((error: unknown) => {
    throw error instanceof Unreachable
      ? new CliError(1, `error: the emulator at ${options.url} no longer answers: ${error.message}`)
      : error
  })
}

/** Reads what the client's webhooks are read and verified with. */
const sourceOf = (options: ListenOptions): SigningSource & SettingsSource => {
  const effective = async () => {
    const path = `/settings?${queryOf({ clientId: options.clientId })}`
    return settingsShape.parse(await controlCall(options, 'GET', path)).effective
  }
  return {
    read: () =>
      readOrGone(async () => {
        const [client, settings] = await Promise.all([call(options, 'GET'), effective()])
        const { clock, webhookUrl } = client
        return { secrets: validSecrets(client), effective: settings, clock, webhookUrl }
      }),
    ofClient: () => readOrGone(effective),
    ofScenario: (body, requestId) =>
      readOrGone(async () => {
        const query = queryOf({ clientId: options.clientId, ...(requestId !== undefined && { requestId }) })
        const { items } = deliveriesShape.parse(await controlCall(options, 'GET', `/deliveries?${query}`))
        const sent = items.find(({ bodyText, attempts }) =>
          [bodyText, ...attempts.map((attempt) => attempt.bodyText)].includes(body),
        )
        return sent?.plan?.settings ?? null
      }),
  }
}

const values = z.record(z.string(), z.unknown())
const settingsShape = z.object({ effective: values })
const deliveriesShape = z.object({
  items: z.array(
    z.object({
      bodyText: z.string(),
      attempts: z.array(z.object({ bodyText: z.string().optional() })),
      plan: z.object({ settings: values.optional() }).nullable(),
    }),
  ),
})

const queryOf = (names: Readonly<Record<string, string>>) => new URLSearchParams(names).toString()

/** Returns null if the emulator or the client is gone, so that there is nothing to read. */
async function readOrGone<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Refused || error instanceof CliError) return null
    throw error
  }
}

async function call(options: ListenOptions, method: 'GET' | 'PATCH', patch?: object): Promise<WebhookClient> {
  const { url, clientId } = options
  const sent = patch && { type: 'application/json', text: JSON.stringify(patch) }
  const path = `/clients/${encodeURIComponent(clientId)}`
  const body = await controlCall(options, method, path, sent).catch((error: unknown) => {
    throw error instanceof Refused
      ? new CliError(2, `error: ${url} rejects the call: ${error.message}`)
      : error
  })
  const client = clientAnswer.safeParse(body)
  if (client.success) return client.data
  throw notAnEmulator(url, 200)
}

/** Runs `listen`: receives the webhooks of a client until stopped.
 *  @throws CliError */
export async function listen(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const options = readListenOptions(flags, terminal.env)
  const stopped = stopRequested()
  const receiver = await Promise.race([startListening(options, terminal), stopped])
  // Stopped while it waited for the emulator: nothing is in flight.
  if (typeof receiver === 'string') process.exit(0)
  await stopped
  await receiver.close()
  return 0
}

/** Opens the port, reads the client, sets its webhook URL, and reports that.
 *  @throws CliError */
export async function startListening(
  options: ListenOptions,
  terminal: Terminal,
  waitMs?: number,
): Promise<Receiver> {
  // The port first: pending webhooks are delivered as soon as the URL is set.
  const secrets = Promise.withResolvers<Secrets>()
  const source = sourceOf(options)
  const verifier = new Verifier(source)
  const receiver = await openReceiver({
    options,
    verdict: async (message) => verifier.verdict(message, await secrets.promise),
    events: (body) => readReceived(body, source),
    onReceived: (received) => {
      for (const each of eachEvent(received))
        terminal.out(options.json ? asJson(each) : receivedLine(each, terminal.colours))
    },
  })
  try {
    const waiting = () => terminal.err(`waiting for the emulator at ${options.url}`)
    const client = await findClient(options, waiting, waitMs)
    secrets.resolve(validSecrets(client))
    if (options.register) await registerUrl(options, receiver.url)
    terminal.out(readyText(options, receiver.url, client.webhookUrl))
    return receiver
  } catch (error) {
    await receiver.close()
    throw error
  }
}

const asJson = (received: Received) => JSON.stringify(receivedRecord(received))

function readyText(options: ListenOptions, url: string, urlBefore: string | null): string {
  const { clientId, register, json } = options
  if (json)
    return JSON.stringify({ event: 'ready', url, clientId, registered: register, emulator: options.url })
  const name = oneLine(clientId)
  if (!register) {
    const now = urlBefore === null ? 'none is registered' : `${oneLine(urlBefore)} is registered`
    return `Listening at ${url} for ${name}. Its webhook URL is unchanged: ${now}.\nReady.`
  }
  const instead = urlBefore === null || urlBefore === url ? '' : ` Before, it was ${oneLine(urlBefore)}.`
  return `Listening at ${url}, which is now the webhook URL of ${name}.${instead}\nReady.`
}

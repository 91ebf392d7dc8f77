import { oneLine } from '../../domain/one-line.ts'
import type { Secrets } from '../../webhooks/signature-problem.ts'
import { toldToStop } from '../stop.ts'
import type { Terminal } from '../terminal.ts'
import { findClient, registerUrl } from './control-client.ts'
import { type ListenOptions, readListenOptions } from './options.ts'
import { type Received, receivedLine, receivedRecord } from './received.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/** `listen`: receives a client's webhooks until it is told to stop. @throws GiveUp */
export async function listen(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const options = readListenOptions(flags, terminal.env)
  const told = toldToStop()
  const receiver = await Promise.race([startListening(options, terminal), told])
  // Told to stop while it still waited for the emulator: nothing is under way.
  if (typeof receiver === 'string') process.exit(0)
  await told
  await receiver.close()
  return 0
}

/** Opens the port, finds the client, becomes its webhook URL and says so. @throws GiveUp */
export async function startListening(
  options: ListenOptions,
  terminal: Terminal,
  waitMs?: number,
): Promise<Receiver> {
  // The port first: what waits for a URL is delivered the moment it is registered.
  const secrets = Promise.withResolvers<Secrets>()
  const receiver = await openReceiver({
    options,
    secrets: secrets.promise,
    onReceived: (received) =>
      terminal.out(options.json ? asJson(received) : receivedLine(received, terminal.colours)),
  })
  try {
    const waiting = () => terminal.err(`waiting for the emulator at ${options.url}`)
    const client = await findClient(options, waiting, waitMs)
    secrets.resolve(client)
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

import {
  fitsAtItsTime,
  type SignatureProblem,
  signatureProblem,
  tokenProblem,
} from '../../webhooks/signature-problem.ts'
import type { TestClient } from '../test-client.ts'

/** How far the time of a signature may be from now, as in Standard Webhooks. */
const toleranceMs = 5 * 60_000

/** A webhook to verify. */
interface Signed {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
  readonly requestId: string
}

/** Verifies a webhook by its client's secrets, as its settings want it signed.
 *  @returns `ok`, or what is wrong, in words */
export async function verdictOn(webhook: Signed, client: TestClient): Promise<string> {
  const problem =
    signatureProblem(webhook.text, webhook.headers, client) && (await problemNow(webhook, client))
  return problem === null ? 'ok' : ((await excused(problem, webhook, client)) ?? problem).words
}

/** What is wrong by the secrets that the client has by now: somebody else may have changed them, or restored a world. */
async function problemNow({ text, headers }: Signed, client: TestClient): Promise<SignatureProblem | null> {
  // Where the emulator is gone, or the client is, those that are known have to do.
  await client.read().catch(() => {})
  return signatureProblem(text, headers, client)
}

const ok = { words: 'ok' }

/** What becomes of a problem that the settings may explain; null if they do not. They are asked for only then: few
 *  webhooks have one. */
async function excused(
  problem: SignatureProblem,
  webhook: Signed,
  client: TestClient,
): Promise<{ words: string } | null> {
  if (problem.kind !== 'missing' && problem.kind !== 'time') return null
  try {
    const wanted = await settingsOf(webhook, client)
    if (problem.kind === 'time')
      return wanted['webhook.signTime'] === 'virtual' ? await atClientsTime(webhook, client) : null
    if (wanted['webhook.auth'] === 'none') return tokenProblem(webhook.text, client.apiSecret) ?? ok
    return wanted['webhook.auth'] === 'hmac-body'
      ? { words: 'missing: expected in the header signature' }
      : null
  } catch {
    // The emulator is gone, or the client is.
    return null
  }
}

/** The client's settings, with those that a scenario has laid over them for this webhook. */
async function settingsOf({ text, headers, requestId }: Signed, client: TestClient) {
  const { effective } = await client.settings()
  const deliveries = requestId === '' ? [] : await client.deliveries.list({ requestId })
  const delivery = deliveries.find(
    ({ webhookId, bodyText }) => webhookId === headers['webhook-id'] || bodyText === text,
  )
  return { ...effective, ...delivery?.plan?.settings }
}

/** Verifies what was signed at a time of the client's clock. One that runs fast has gone on since. */
async function atClientsTime({ text, headers }: Signed, client: TestClient): Promise<{ words: string }> {
  if (!fitsAtItsTime(text, headers, client.webhookSecret))
    return { words: "wrong: it does not match the body and the client's webhookSecret" }
  const { now, speed } = await client.clock.read()
  const aheadMs = Number(headers['webhook-timestamp']) * 1_000 - now
  if (Math.abs(aheadMs) <= toleranceMs * Math.max(1, speed)) return ok
  const which = aheadMs < 0 ? 'too old' : 'not yet valid'
  return { words: `${which}: webhook-timestamp is not within 5 minutes of the client's clock` }
}

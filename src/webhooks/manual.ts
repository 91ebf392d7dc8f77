import type { Client, Generation } from '../domain/client/client.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { attemptOf } from '../domain/webhook/attempt-number.ts'
import type { ManualCopies, NewDelivery } from '../domain/webhook/delivery.ts'
import { persist } from '../time/timers.ts'
import { wallNow } from '../time/wall.ts'
import { attempt, type OutboxContext } from './attempt.ts'
import type { InFlight } from './in-flight.ts'
import type { Sender } from './sender.ts'

/** Sends a webhook by hand: at once, without queue, rules and retries. Each POST is on record as `unknown` before it
 *  leaves. Resolves when every copy was answered or has failed.
 *  @param generation the client's generation when the webhook was made
 *  @throws delivery_exists, world_ended */
export async function sendManually(
  delivery: NewDelivery,
  { client, url, copies, together }: ManualCopies & { readonly client: Client; readonly url: string },
  generation: Generation,
  { context, sender, inFlight }: { context: OutboxContext; sender: Sender; inFlight: InFlight },
): Promise<void> {
  const { clientId } = client
  const { store, now, emit, onError, settings } = context
  const batch = inFlight.acquire(clientId)
  const unwanted = () => inFlight.isDropped(clientId, batch)
  const post = async (n: number, at: EpochMs) => {
    if (unwanted()) return
    const copy = { ...attemptOf(delivery, n), attempt: n }
    const made = await attempt(copy, { url, at: now(clientId), batch, sender }, context, inFlight)
    if (made === null) return
    const { result: judged, severalSignatures } = made
    const result = judged.outcome === 'accepted' ? judged : { ...judged, next: { status: 'dead' as const } }
    const end = { deliveryId: delivery.id, clientId, generation, attempt: n, result }
    if (await persist(() => store.finishByHand(end), { onError, unwanted })) {
      const sent = { delivery: copy, url, at, result, severalSignatures }
      emit({ type: 'attempt', ...sent, settings: settings(clientId) })
    }
  }
  try {
    const at = now(clientId)
    await store.addByHand(delivery, { url, at, wallAt: wallNow(), copies }, generation)
    emit({ type: 'deliveries', change: 'made', clientId, ids: [delivery.id] })
    const numbers = Array.from({ length: copies }, (_, index) => index + 1)
    if (together) await Promise.all(numbers.map((n) => post(n, at)))
    else for (const n of numbers) await post(n, at)
  } finally {
    inFlight.release(clientId, batch)
  }
}

import type { Delivery } from '../../index.ts'
import { Finding, WrongBefore } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** What an application makes of a webhook, as far as its answer tells. `crashed`: the connection broke. */
export type Reaction = 'accepted' | 'refused' | 'server-error' | 'no-answer' | 'crashed'

/** How a webhook was taken, by its last attempt. */
export function reactionTo({ attempts }: Delivery): Reaction {
  const last = attempts.at(-1)
  const status = last?.status ?? null
  if (status === null) return last?.outcome === 'timeout' ? 'no-answer' : 'crashed'
  if (status >= 200 && status < 300) return 'accepted'
  return status >= 500 ? 'server-error' : 'refused'
}

/** The same in words: `answered 500`, `broke the connection (read ECONNRESET)`. */
export function reactionInWords({ attempts }: Delivery): string {
  const last = attempts.at(-1)
  if (last === undefined) return 'was sent nothing'
  if (last.status !== null) return `answered ${last.status}`
  if (last.outcome === 'timeout') return `gave no answer within ${last.ms} ms`
  return `broke the connection (${last.error})`
}

/** How an application takes a plain, genuine webhook: strange ones are measured by that. */
export class UsualReaction {
  readonly to: Reaction
  /** The plain webhook. */
  readonly plain: Delivery
  readonly #words: string

  private constructor(plain: Delivery) {
    this.plain = plain
    this.to = reactionTo(plain)
    this.#words = reactionInWords(plain)
  }

  /** Sends a plain webhook that says of an order what is true. @throws WrongBefore if that is not answered */
  static async of(stage: Stage, { requestId }: StagedOrder): Promise<UsualReaction> {
    const usual = new UsualReaction(await stage.send({ event: { requestId } }))
    if (usual.to === 'no-answer' || usual.to === 'crashed')
      throw new WrongBefore(`it ${usual.#words} to a plain webhook`, 'K03')
    return usual
  }

  /** Whether a webhook was answered at all. @param what it was: `an event of an unknown type` @throws Finding */
  mustAnswer(delivery: Delivery, what: string): void {
    const reaction = reactionTo(delivery)
    if (reaction === 'no-answer' || reaction === 'crashed') throw this.#finding(reaction, delivery, what)
  }

  /** Whether a webhook was taken like a plain one.
   *  @returns false if that cannot be told, because plain ones are not taken either @throws Finding */
  mustTake(delivery: Delivery, what: string): boolean {
    const reaction = reactionTo(delivery)
    if (reaction === 'accepted') return true
    const asUsual = reaction === this.to || (reaction === 'refused' && this.to === 'server-error')
    if (!asUsual) throw this.#finding(reaction, delivery, what)
    return false
  }

  #finding(reaction: Exclude<Reaction, 'accepted'>, delivery: Delivery, what: string): Finding {
    const { id: deliveryId, requestId } = delivery
    const usually = `to a plain event about the same order, it ${this.#words}`
    const did = `To ${what}, it ${reactionInWords(delivery)}; ${usually}.`
    return new Finding({ defect: reaction, did, deliveryId, ...(requestId !== '' && { requestId }) })
  }
}

import type { Delivery } from '../../index.ts'
import { Finding, WrongBefore } from '../finding.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** How an application reacted to a webhook, by its answer. `crashed`: the connection broke. */
export type Reaction = 'accepted' | 'refused' | 'server-error' | 'no-answer' | 'crashed'

/** Returns how the application reacted to the last attempt of a webhook. */
export function reactionTo({ attempts }: Delivery): Reaction {
  const last = attempts.at(-1)
  const status = last?.status ?? null
  if (status === null) return last?.outcome === 'timeout' ? 'no-answer' : 'crashed'
  if (status >= 200 && status < 300) return 'accepted'
  return status >= 500 ? 'server-error' : 'refused'
}

/** Describes the reaction: `answered 500`, `broke the connection (read ECONNRESET)`. */
export function reactionInWords({ attempts }: Delivery): string {
  const last = attempts.at(-1)
  if (last === undefined) return 'was sent nothing'
  if (last.status !== null) return `answered ${last.status}`
  if (last.outcome === 'timeout') return `gave no answer within ${last.ms} ms`
  return `broke the connection (${last.error})`
}

/** The reaction of an application to a normal, genuine webhook, with which others are compared. */
export class UsualReaction {
  readonly to: Reaction
  /** The delivery of the normal webhook. */
  readonly plain: Delivery
  readonly #words: string

  private constructor(plain: Delivery) {
    this.plain = plain
    this.to = reactionTo(plain)
    this.#words = reactionInWords(plain)
  }

  /** Sends a normal webhook with the true status of an order.
   *  @throws WrongBefore if it is not answered */
  static async of(stage: Stage, { requestId }: StagedOrder): Promise<UsualReaction> {
    const usual = new UsualReaction(await stage.send({ event: { requestId } }))
    if (usual.to === 'no-answer' || usual.to === 'crashed')
      throw new WrongBefore(`it ${usual.#words} to a plain webhook`, 'K03')
    return usual
  }

  /** Requires that the application has answered a webhook.
   *  @param what the kind of webhook, in words: `an event of an unknown type`
   *  @throws Finding */
  mustAnswer(delivery: Delivery, what: string): void {
    const reaction = reactionTo(delivery)
    if (reaction === 'no-answer' || reaction === 'crashed') throw this.#finding(reaction, delivery, what)
  }

  /** Requires that a webhook is accepted like a normal one.
   *  @returns false if normal ones are not accepted either
   *  @throws Finding */
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

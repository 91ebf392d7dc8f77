import type { Delivery, HandMadeDelivery } from '../../index.ts'
import { type Attempt, inWords, isTaken, lastAttempt } from '../evidence/webhook-answer.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Defect } from '../report.ts'
import { payLater } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import type { Signing } from './signing.ts'

type Message = Omit<HandMadeDelivery, 'event'>

/** An order that stays CREATED, with webhooks that are signed in different ways. Its lookup never says COMPLETED, so
 *  an application has no reason to act, and only its answers count. */
export class SignedOrder {
  readonly order: StagedOrder
  /** The body of a genuine webhook about the order. */
  readonly bodyText: string
  /** How the client's webhooks are signed. */
  readonly signing: Signing
  readonly #stage: Stage
  readonly #genuine: Attempt

  private constructor(stage: Stage, order: StagedOrder, genuine: Delivery, signing: Signing) {
    this.#stage = stage
    this.order = order
    this.signing = signing
    this.bodyText = genuine.bodyText
    this.#genuine = lastAttempt(genuine)
  }

  /** Creates the order and sends a genuine webhook, for comparison with the others.
   *  @param needs what the signature has to have: a `time` that is signed too, or `several` signatures at once
   *  @throws NotSeen if the application verifies none, or one without that */
  static async open(stage: Stage, needs?: 'time' | 'several'): Promise<SignedOrder> {
    if (stage.app.webhookSignature === 'none')
      throw new NotSeen('whether your application verifies signatures: if it does, set `webhookSignature`')
    const { signingOf } = await import('./signing.ts')
    const signing = signingOf((await stage.client.settings()).effective)
    if (signing === null)
      throw new NotSeen(
        'whether your application verifies signatures: the settings of the client ask for none',
      )
    const name = `a webhook of \`${signing.words}\``
    if (needs === 'time' && !signing.signsTime)
      throw new NotSeen(`${name} is signed without a time, so it cannot be too old`)
    if (needs === 'several' && !signing.carriesSeveral)
      throw new NotSeen(`${name} carries one signature, never several`)
    const order = await stage.order({ follows: payLater })
    await stage.settle()
    await order.isUnpaidBefore()
    const plain = { event: { requestId: order.requestId } }
    // The order is never paid, and only answers count.
    stage.letClockGo()
    const genuine = await stage.send(plain, 'sends a genuine webhook, to compare with')
    return new SignedOrder(stage, order, genuine, signing)
  }

  /** Requires that the genuine webhook was accepted: otherwise a refusal says nothing about signatures.
   *  @throws NotSeen */
  needsGenuineTaken(): void {
    if (isTaken(this.#genuine)) return
    const why = this.order.ofApplication
      ? 'see K01 and K03'
      : 'it does not know the order; set `start`, so that it creates the order itself'
    throw new NotSeen(`it ${inWords(this.#genuine)} to a genuine webhook, so nothing can be compared: ${why}`)
  }

  /** Sends a webhook.
   *  @param what how the webhook is signed, in words: `signed with another secret`
   *  @param claim the status in the body; default: the order's true status */
  async send(what: string, message: Message, claim?: string): Promise<Sent> {
    const event = { requestId: this.order.requestId, ...(claim !== undefined && { orderStatus: claim }) }
    const sent = message.body === undefined ? { event, ...message } : message
    const delivery = await this.#stage.send(sent, `sends a webhook ${what}`)
    return { what, deliveryId: delivery.id, attempt: lastAttempt(delivery) }
  }

  finding(defect: Defect, { what, deliveryId, attempt }: Sent): Finding {
    const did = `It ${inWords(attempt)} to a webhook ${what}`
    return new Finding({ defect, did, requestId: this.order.requestId, deliveryId })
  }
}

/** A webhook that was sent by hand, with its answer. */
export interface Sent {
  /** How the webhook was signed, in words: `signed with another secret`. */
  readonly what: string
  readonly deliveryId: string
  readonly attempt: Attempt
}

import { isCallbackUrl, returnUrlTo } from '../../domain/order/payment-urls.ts'
import { ControlCallRefused, type Delivery, type Order, type TestClient } from '../../index.ts'
import type { Answer, Application, Seen } from '../application/application.ts'
import { ProbeFailed } from '../application/application.ts'
import type { Given } from '../config/config.ts'
import { WrongConfiguration } from '../finding.ts'
import type { Setting } from '../stage/case-context.ts'
import type { ActName } from './acts.ts'
import type { Story } from './story.ts'

/** How many orders are asked for or acted on at once. */
export const ordersAtOnce = 16

/** An order of a story, as its acts need it. */
export class PlayedOrder {
  readonly story: Story
  readonly given: Given
  readonly requestId: string
  readonly orderId: string
  /** Webhooks that were forged, by id. */
  readonly forged = new Set<string>()
  /** Acts to which the application has given no answer in its time. */
  readonly unanswered: ActName[] = []
  /** What the application showed just before the payment. */
  before: Seen | null = null
  readonly #id: string | null
  readonly #app: Application
  readonly #client: TestClient
  #callbackUrl: string | null
  #held = false

  constructor(
    { app, client }: Pick<Setting, 'app' | 'client'>,
    {
      story,
      given,
      answer,
      order,
      callbackUrl,
    }: {
      readonly story: Story
      readonly given: Given
      readonly answer: Answer
      readonly order: Order
      readonly callbackUrl: unknown
    },
  ) {
    this.#app = app
    this.#client = client
    this.story = story
    this.given = given
    this.requestId = order.requestId
    this.orderId = order.orderId
    this.#id = answer.id ?? null
    this.#callbackUrl =
      typeof callbackUrl === 'string' && isCallbackUrl(callbackUrl) && /^https?:/i.test(callbackUrl)
        ? callbackUrl
        : null
  }

  /** Whether a browser can return. */
  get canReturn(): boolean {
    return this.#callbackUrl !== null
  }

  /** Does one act.
   *  @returns why it was not possible; null if it was */
  async act(act: ActName): Promise<string | null> {
    try {
      return await this.#acted(act)
    } catch (error) {
      // An application may refuse a call in this state, and a delivery may be under way.
      if (error instanceof WrongConfiguration) return error.message
      if (error instanceof ControlCallRefused && error.status < 500) return error.message
      throw error
    }
  }

  async #acted(act: ActName): Promise<string | null> {
    const { deliveries, faults } = this.#client
    const where = { requestId: this.requestId }
    switch (act) {
      case 'hold webhooks':
        this.#held = true
        await deliveries.hold(where)
        return null
      case 'let webhooks go':
        return this.release()
      case 'repeat the webhook':
        return this.#repeat((sent) => sent.at(-1))
      case 'repeat the first webhook':
        return this.#repeat((sent) => sent.at(0))
      case 'cut the next webhook':
        await faults.plan({ on: 'delivery', where, effect: { cut: 'end' }, times: 1 })
        return null
      case 'forge a signature':
        return this.#forge({ event: { ...where, orderStatus: 'COMPLETED' }, sign: 'wrong' })
      case 'forge a status':
        return this.#forge({ event: { ...where, orderStatus: await this.#falseStatus() } })
      case 'submit the cart again':
        await this.#app.start?.(this.given)
        return null
      case 'the browser returns':
        return this.#return((await this.#status()) ?? 'CREATED')
      case 'the browser lies':
        return this.#return(await this.#falseStatus())
      case 'cancel':
        await this.#app.cancel?.(this.requestId, this.#id)
        return null
      default:
        throw new Error(`${act} is no act of an order`)
    }
  }

  /** Lets the webhooks of the order go, if they are held. */
  async release(): Promise<null> {
    if (!this.#held) return null
    this.#held = false
    await this.#client.deliveries.release({ requestId: this.requestId })
    return null
  }

  /** The order as the application shows it; null if its probe fails. */
  async probe(): Promise<Seen | null> {
    try {
      return (await this.#app.probe?.(this.requestId, this.#id)) ?? null
    } catch (error) {
      if (error instanceof ProbeFailed) return null
      throw error
    }
  }

  /** Ends the order at the service if it is still open, so that no application goes on asking for it. */
  async end(): Promise<void> {
    if ((await this.#status()) !== 'CREATED') return
    await this.#client.orders.pay({ orderId: this.orderId }, 'failed').catch((error: unknown) => {
      if (!(error instanceof ControlCallRefused) || error.status !== 409) throw error
    })
  }

  async #status(): Promise<string | null> {
    return (await this.#client.orders.get({ orderId: this.orderId })).orderStatus
  }

  async #falseStatus(): Promise<string> {
    return (await this.#status()) === 'COMPLETED' ? 'FAILED' : 'COMPLETED'
  }

  async #repeat(which: (sent: readonly Delivery[]) => Delivery | undefined): Promise<string | null> {
    const all = await this.#client.deliveries.list({ requestId: this.requestId })
    const sent = all.filter(({ id, attempts }) => attempts.length > 0 && !this.forged.has(id))
    const delivery = which(sent)
    if (delivery === undefined) return 'no webhook was sent yet'
    await this.#client.deliveries.resend(delivery.id)
    return null
  }

  async #forge(webhook: Parameters<TestClient['deliveries']['send']>[0]): Promise<null> {
    const { id } = await this.#client.deliveries.send(webhook)
    this.forged.add(id)
    return null
  }

  async #return(orderStatus: string): Promise<string | null> {
    if (this.#callbackUrl === null) return 'the create call had no `callbackUrl`'
    const { requestId, orderId } = this
    const { error } = await this.#app.open(
      returnUrlTo(this.#callbackUrl, { requestId, orderId, orderStatus }),
    )
    return error
  }
}

import type { Context } from 'hono'
import type { Client } from '../../domain/client/client.ts'
import type { FaultStage } from '../../domain/faults/answer/answer-fault.ts'
import type { FaultyCall } from '../../domain/faults/planned-fault.ts'
import type { Operation } from '../../domain/journal/entry.ts'
import type { Order, OrderKind } from '../../domain/order/order.ts'
import type { AppliedRule } from '../../domain/scenario/answer-rules.ts'
import { faultNote } from '../../domain/scenario/answer-rules.ts'
import { connectionOf } from '../../http/request.ts'
import type { CreatingCall } from '../../lifecycle/api-faults.ts'
import type { Clients } from '../../lifecycle/clients.ts'
import type { Lifecycle } from '../../lifecycle/lifecycle.ts'
import { pause } from '../../time/timers.ts'
import { foundClient, onceAnswered, type RequestInfo, type ServiceResponse } from '../response.ts'
import { FaultyAnswer, faultyAnswer, goesOn, unanswered } from './faulty-answer.ts'
import type { HeldAnswers, Hold } from './held-answers.ts'

interface Parts {
  readonly clients: Clients
  readonly lifecycle: Lifecycle
  readonly held: HeldAnswers
}

type Owner = Pick<Client, 'clientId'>

/** The subject of a call: orders of one requestId, their client, and the requestId. */
type About = [orders: readonly Order[], client: Owner | null, requestId: string | null]

/** Plays the planned faults and the scenario rules that apply to one call. */
export class CallFaults {
  readonly #c: Context
  readonly #operation: Operation
  readonly #info: RequestInfo
  readonly #parts: Parts
  #hold: Hold | undefined
  /** Whether a fault before the answer makes it a stale one. */
  #isStale = false

  constructor(c: Context, operation: Operation, info: RequestInfo, parts: Parts) {
    this.#c = c
    this.#operation = operation
    this.#info = info
    this.#parts = parts
  }

  /** Plays the faults of a call that has passed its checks and has changed nothing yet. Faults of the stage before
   *  all checks are included: checks leave no trace, so the caller sees no difference.
   *  @throws FaultyAnswer if the fault answers the call */
  async passed(orders: readonly Order[], client: Owner, requestId: string | null): Promise<void> {
    await this.unchecked(orders, client, requestId)
    await this.#playAt('before', orders, client, requestId)
  }

  /** Plays the faults that come before all checks.
   *  @throws FaultyAnswer */
  unchecked(orders: readonly Order[], client: Owner | null, requestId: string | null): Promise<void> {
    return this.#playAt('unchecked', orders, client, requestId)
  }

  /** Describes the call as one that creates an order, so that the lifecycle can play its faults before storing it. */
  creating({ clientId }: Owner, requestId: string, kind: OrderKind): CreatingCall {
    return {
      operation: this.#operation,
      clientId,
      requestId,
      kind,
      counted: new Set(),
      play: async (fault, chosen) => {
        // No stored order will record the choice of the scenario.
        if (!goesOn(fault.rule.effect)) this.#info.notes.push(...chosen.notes)
        await this.#interrupt(fault)
      },
    }
  }

  /** Applies faults to the answer of a call that was carried out, and returns the answer to send.
   *  @param staleBody builds the body of a stale lookup */
  async answer(
    orders: readonly Order[],
    client: Owner,
    honest: ServiceResponse,
    staleBody?: () => string,
  ): Promise<ServiceResponse> {
    const fault = await this.#at('stored', orders, client, this.#info.requestId)
    const isStale = this.#isStale || fault?.rule.effect.stale
    const answer = isStale && staleBody !== undefined ? { ...honest, body: staleBody() } : honest
    if (fault === null) return answer
    const [order] = orders
    if (fault.rule.effect.afterWebhook && order !== undefined)
      await this.#parts.lifecycle.behaviours.webhookOf(order)
    return this.#answer(fault, answer)
  }

  async #playAt(when: FaultStage, ...about: About): Promise<void> {
    const fault = await this.#at(when, ...about)
    if (fault !== null) await this.#interrupt(fault)
  }

  #at(when: FaultStage, ...[orders, client, requestId]: About): Promise<AppliedRule | null> {
    const call: FaultyCall = {
      operation: this.#operation,
      when,
      clientId: client?.clientId ?? null,
      requestId,
    }
    return this.#parts.lifecycle.faults.at(call, orders)
  }

  /** Plays a fault before the call changes anything: waits, then continues the call or answers it. */
  async #interrupt(fault: AppliedRule): Promise<void> {
    if (!goesOn(fault.rule.effect)) throw new FaultyAnswer(await this.#answer(fault, null))
    this.#note(fault)
    if (fault.rule.effect.stale) this.#isStale = true
    // The caller may go away; the call is still carried out.
    await this.#wait(fault, { isForCaller: false })
  }

  async #answer(fault: AppliedRule, honest: ServiceResponse | null): Promise<ServiceResponse> {
    const { effect } = fault.rule
    this.#note(fault)
    if (effect.delayMs > 0) await this.#wait(fault, { isForCaller: true })
    if (effect.wallMs !== undefined) {
      const ms = effect.wallMs === 'drawn' ? this.#parts.lifecycle.behaviours.slowMs(fault) : effect.wallMs
      const { promise: hasGone, resolve } = Promise.withResolvers<void>()
      onceAnswered(this.#c, resolve)
      // A caller that is gone needs no answer, and its call is over.
      await Promise.race([pause(ms), hasGone])
    }
    if (effect.leaves === 'never') this.#closeAfter(fault)
    return faultyAnswer(effect, honest, this.#info.errorBody)
  }

  /** Waits for the delay of a fault.
   *  @throws FaultyAnswer if the wait is aborted and no answer is possible */
  async #wait({ clientId, rule }: AppliedRule, { isForCaller }: { isForCaller: boolean }): Promise<void> {
    const hold = this.#begin(clientId, rule.effect.delayMs)
    if (isForCaller) onceAnswered(this.#c, hold.abort)
    if (!(await hold.released)) {
      this.#info.notes.push('the caller gave up while the answer was held back')
      this.#close()
      throw new FaultyAnswer(unanswered)
    }
    onceAnswered(this.#c, hold.left)
  }

  #closeAfter({ clientId, rule }: AppliedRule): void {
    const hold = this.#begin(clientId, rule.effect.closedAfterMs)
    onceAnswered(this.#c, hold.abort)
    void hold.released.then(() => {
      onceAnswered(this.#c, hold.left)
      this.#close()
    })
  }

  /** Notes a fault for the request log. Its client and requestId are recorded too, because no check may have found
   *  them yet. */
  #note(fault: AppliedRule): void {
    if (fault.clientId !== null) foundClient(this.#info, fault.clientId, this.#parts.clients)
    this.#info.requestId = fault.requestId ?? this.#info.requestId
    this.#info.notes.push(faultNote(fault))
  }

  #begin(clientId: string | null, ms: number | null): Hold {
    const hold = this.#parts.held.hold(clientId, ms)
    this.#hold?.left()
    this.#hold = hold
    return hold
  }

  #close(): void {
    connectionOf(this.#c)?.socket.destroy()
  }
}

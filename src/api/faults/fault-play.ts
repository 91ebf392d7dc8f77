import type { Context } from 'hono'
import type { Client } from '../../domain/client.ts'
import type { FaultyCall } from '../../domain/fault/faulty-call.ts'
import type { Operation } from '../../domain/journal-entry.ts'
import type { LookedUpOrder, OrderKind } from '../../domain/order.ts'
import type { AnswerFault } from '../../domain/scenario/answer-faults.ts'
import type { FaultStage } from '../../domain/scenario/answer-rules.ts'
import { faultNote } from '../../domain/scenario/fault-words.ts'
import { connectionOf } from '../../http/request.ts'
import type { ApiFaults } from '../../lifecycle/api-faults.ts'
import type { BeforeStored } from '../../lifecycle/lifecycle.ts'
import type { ChosenScenario } from '../../lifecycle/scenario-choice.ts'
import { onceAnswered } from '../answered.ts'
import type { ServiceParts } from '../call.ts'
import { type Answered, type ErrorBody, errorAsText, type Findings, foundClient } from '../recorded.ts'
import { FaultyAnswer, faultyAnswer, goesOn, unanswered } from './faulty-answer.ts'
import type { Hold } from './held-answers.ts'

/** Whose call it is. */
type Owner = Pick<Client, 'clientId'>

/** What planned faults and scenarios make of the answer to one call. What is asked here is answered with
 *  null, at once, where they say nothing. */
export class FaultPlay {
  readonly #c: Context
  readonly #operation: Operation
  readonly #findings: Findings
  readonly #parts: ServiceParts
  readonly #errorBody: ErrorBody
  /** The rules that come before all checks have had their turn. */
  #past = false
  #hold: Hold | undefined
  /** Of a create call, which may have to choose its scenario several times: when planned faults have counted it. */
  readonly #counted: FaultStage[] = []

  constructor(
    c: Context,
    operation: Operation,
    findings: Findings,
    parts: ServiceParts,
    errorBody: ErrorBody = errorAsText,
  ) {
    this.#errorBody = errorBody
    this.#c = c
    this.#operation = operation
    this.#findings = findings
    this.#parts = parts
  }

  /** Whether the rules that come before all checks are still to be asked. */
  get isUnasked(): boolean {
    return !this.#past
  }

  /** A call has passed its checks. The rules that come before all checks have their turn here too: as the
   *  checks leave no trace, nobody can tell, and good calls need no look at the scenario before them.
   *  @throws FaultyAnswer if that is all there is to be answered */
  checked(orders: readonly LookedUpOrder[], client: Owner, requestId: string | null): Promise<void> | null {
    if (this.#parts.faults.concern(orders, this.#operation, client.clientId))
      return this.#beforeAct(orders, client, requestId)
    this.#past = true
    return null
  }

  /** The same for a create call, whose order is not there yet. */
  creating(client: Client, requestId: string, kind: OrderKind): BeforeStored {
    return (chosen) => {
      const { scenario } = chosen.found
      if (this.#parts.faults.concernCreate(scenario, this.#operation, client.clientId))
        return this.#beforeCreate(chosen, client, requestId, kind)
      this.#past = true
      return null
    }
  }

  /** The rules that come before all checks have their turn. @throws FaultyAnswer */
  unchecked(orders: readonly LookedUpOrder[], client: Owner | null, requestId: string | null): Promise<void> {
    this.#past = true
    return this.#interrupt(this.#parts.faults.of(orders, this.#call('unchecked', client, requestId)))
  }

  /** The same for a create call.
   *  @returns the choice that then holds; null if the scenario has to be chosen again
   *  @throws FaultyAnswer */
  async uncheckedCreate(
    chosen: ChosenScenario,
    client: Client,
    requestId: string,
    kind: OrderKind,
  ): Promise<ChosenScenario | null> {
    const choice = await this.#askCreate(chosen, this.#createCall('unchecked', client, requestId, kind))
    this.#past = choice !== null
    return choice
  }

  /** A call has been carried out.
   *  @param orders those that it was about
   *  @returns the answer that is sent */
  stored(orders: readonly LookedUpOrder[], client: Owner, honest: Answered): Promise<Answered> | null {
    if (!this.#parts.faults.concern(orders, this.#operation, client.clientId)) return null
    const met = this.#parts.faults.of(orders, this.#call('stored', client, this.#findings.requestId))
    return met === null ? null : met.then((fault) => (fault === null ? honest : this.#answer(fault, honest)))
  }

  async #beforeAct(orders: readonly LookedUpOrder[], client: Owner, requestId: string | null): Promise<void> {
    await this.unchecked(orders, client, requestId)
    await this.#interrupt(this.#parts.faults.of(orders, this.#call('before', client, requestId)))
  }

  async #beforeCreate(
    chosen: ChosenScenario,
    client: Client,
    requestId: string,
    kind: OrderKind,
  ): Promise<ChosenScenario | null> {
    const choice = this.#past ? chosen : await this.uncheckedCreate(chosen, client, requestId, kind)
    if (choice === null) return null
    const { scenario } = choice.found
    const call = this.#createCall('before', client, requestId, kind)
    if (this.#parts.faults.hasRules(scenario, call))
      await this.#parts.lifecycle.refuseTaken(client, requestId, scenario)
    return this.#askCreate(choice, call)
  }

  /** @returns the choice that then holds; null if the scenario has to be chosen again */
  async #askCreate(chosen: ChosenScenario, call: Parameters<ApiFaults['ofCreate']>[1]) {
    const met = this.#parts.faults.ofCreate(chosen, call, this.#counted.includes(call.when))
    this.#counted.push(call.when)
    if (met === null) return chosen
    const found = await met
    // Where no order will come of it, nobody else says what chose the scenario.
    if (found?.fault && !goesOn(found.fault.rule.effect)) this.#findings.notes.push(...chosen.notes)
    await this.#interrupt(found?.fault ?? null)
    return found?.choice ?? null
  }

  #call(when: FaultStage, client: Owner | null, requestId: string | null): FaultyCall {
    return { operation: this.#operation, when, clientId: client?.clientId ?? null, requestId }
  }

  #createCall(when: FaultStage, { clientId }: Owner, requestId: string, kind: OrderKind) {
    return { operation: this.#operation, when, clientId, requestId, kind }
  }

  /** Plays a fault where nothing has been done yet: waits, and lets the call go on or answers it. */
  async #interrupt(met: Promise<AnswerFault | null> | AnswerFault | null): Promise<void> {
    const fault = await met
    if (fault === null) return
    const { effect } = fault.rule
    if (!goesOn(effect)) throw new FaultyAnswer(await this.#answer(fault, null))
    this.#note(fault)
    // The caller may go away meanwhile; what it asked for is done all the same.
    await this.#wait(fault, { isForCaller: false })
  }

  async #answer(fault: AnswerFault, honest: Answered | null): Promise<Answered> {
    const { effect } = fault.rule
    this.#note(fault)
    if (effect.delayMs > 0) await this.#wait(fault, { isForCaller: true })
    if (effect.leaves === 'never') this.#closeAfter(fault)
    return faultyAnswer(effect, honest, this.#errorBody)
  }

  /** @throws FaultyAnswer if the wait is given up, and nothing can be answered any more */
  async #wait({ clientId, rule }: AnswerFault, { isForCaller }: { isForCaller: boolean }): Promise<void> {
    const hold = this.#begin(clientId, rule.effect.delayMs)
    if (isForCaller) onceAnswered(this.#c, hold.giveUp)
    if (!(await hold.released)) {
      this.#findings.notes.push('given up while it was held')
      this.#close()
      throw new FaultyAnswer(unanswered)
    }
    onceAnswered(this.#c, hold.left)
  }

  #closeAfter({ clientId, rule }: AnswerFault): void {
    const hold = this.#begin(clientId, rule.effect.closedAfterMs)
    onceAnswered(this.#c, hold.giveUp)
    void hold.released.then(() => {
      onceAnswered(this.#c, hold.left)
      this.#close()
    })
  }

  /** The journal learns of a fault, and of whom and what the call was about: no check may have told it. */
  #note(fault: AnswerFault): void {
    if (fault.clientId !== null) foundClient(this.#findings, fault.clientId, this.#parts.clients)
    this.#findings.requestId = fault.requestId ?? this.#findings.requestId
    this.#findings.notes.push(faultNote(fault))
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

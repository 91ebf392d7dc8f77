import type { Context } from 'hono'
import type { Client } from '../../domain/client.ts'
import type { Operation } from '../../domain/journal-entry.ts'
import type { Order } from '../../domain/order.ts'
import { type AnswerFault, answersCalls } from '../../domain/scenario/answer-faults.ts'
import type { FaultStage } from '../../domain/scenario/answer-rules.ts'
import type { BeforeStored } from '../../lifecycle/lifecycle.ts'
import type { ChosenScenario } from '../../lifecycle/scenario-choice.ts'
import { onceAnswered } from '../answered.ts'
import type { ServiceParts } from '../call.ts'
import { connectionOf } from '../connection.ts'
import type { Answered, Findings } from '../recorded.ts'
import { FaultyAnswer, faultNote, faultyAnswer, goesOn, unanswered } from './faulty-answer.ts'
import type { Hold } from './held-answers.ts'

/** What scenarios make of the answer to one call. Asked with null for an answer, at once, where they say nothing. */
export class FaultPlay {
  readonly #c: Context
  readonly #operation: Operation
  readonly #findings: Findings
  readonly #parts: ServiceParts
  /** The rules that come before all checks have had their turn. */
  #past = false
  #hold: Hold | undefined

  constructor(c: Context, operation: Operation, findings: Findings, parts: ServiceParts) {
    this.#c = c
    this.#operation = operation
    this.#findings = findings
    this.#parts = parts
  }

  /** Whether the rules that come before all checks are still to be asked. */
  get isUnasked(): boolean {
    return !this.#past
  }

  /** A call about orders has passed its checks. The rules that come before all checks have their turn here too: as the
   *  checks leave no trace, nobody can tell, and good calls need no look at the scenario before them.
   *  @throws FaultyAnswer if that is all there is to be answered */
  checked(orders: readonly Order[], client: Client, requestId: string): Promise<void> | null {
    if (!this.#parts.faults.concern(orders)) {
      this.#past = true
      return null
    }
    const unchecked = this.unchecked(orders, client, requestId)
    const before = () => this.#parts.faults.of(orders, this.#call('before', client, requestId))
    if (unchecked === null) {
      const fault = before()
      return fault === null ? null : this.#interrupt(fault)
    }
    return unchecked.then(() => {
      const fault = before()
      return fault === null ? undefined : this.#interrupt(fault)
    })
  }

  /** The same for a create call, whose order is not there yet. */
  readonly creating =
    (client: Client, requestId: string): BeforeStored =>
    (chosen) => {
      if (!answersCalls(chosen.found.scenario)) {
        this.#past = true
        return null
      }
      const unchecked = this.#past ? null : this.uncheckedCreate(chosen, client, requestId)
      if (unchecked !== null) {
        return unchecked.then((choice) => choice && (this.#beforeCreate(choice, client, requestId) ?? choice))
      }
      return this.#beforeCreate(chosen, client, requestId)
    }

  /** The rules that come before all checks have their turn. @throws FaultyAnswer */
  unchecked(orders: readonly Order[], client: Client, requestId: string): Promise<void> | null {
    this.#past = true
    const fault = this.#parts.faults.of(orders, this.#call('unchecked', client, requestId))
    return fault === null ? null : this.#interrupt(fault)
  }

  /** The same for a create call.
   *  @returns the choice that then holds; null if the scenario has to be chosen again
   *  @throws FaultyAnswer */
  uncheckedCreate(
    chosen: ChosenScenario,
    client: Client,
    requestId: string,
  ): Promise<ChosenScenario | null> | null {
    const met = this.#parts.faults.ofCreate(chosen, this.#call('unchecked', client, requestId))
    if (met === null) {
      this.#past = true
      return null
    }
    return met.then(async (found) => {
      if (found === null) return null
      this.#past = true
      await this.#interrupt(found.fault)
      return found.choice
    })
  }

  /** A call has been carried out.
   *  @param about the order that it was about
   *  @returns the answer that is sent */
  stored(about: Order, honest: Answered): Promise<Answered> | null {
    if (!this.#parts.faults.concern([about])) return null
    const client = { clientId: about.clientId }
    const met = this.#parts.faults.of([about], this.#call('stored', client, about.requestId))
    return met === null ? null : met.then((fault) => (fault === null ? honest : this.#answer(fault, honest)))
  }

  #beforeCreate(
    chosen: ChosenScenario,
    client: Client,
    requestId: string,
  ): Promise<ChosenScenario | null> | null {
    const { lifecycle, faults } = this.#parts
    const call = this.#call('before', client, requestId)
    if (!faults.hasRules(chosen.found.scenario, call)) return null
    return lifecycle.refuseTaken(client, requestId, chosen.found.scenario).then(async () => {
      const met = await faults.ofCreate(chosen, call)
      await this.#interrupt(met?.fault ?? null)
      return met?.choice ?? null
    })
  }

  #call(when: FaultStage, { clientId }: Pick<Client, 'clientId'>, requestId: string) {
    return { operation: this.#operation, when, clientId, requestId }
  }

  /** Plays a fault where nothing has been done yet: waits, and lets the call go on or answers it. */
  async #interrupt(met: Promise<AnswerFault | null> | AnswerFault | null): Promise<void> {
    const fault = await met
    if (fault === null) return
    const { effect } = fault.rule
    if (!goesOn(effect)) throw new FaultyAnswer(await this.#answer(fault, null))
    this.#findings.notes.push(faultNote(fault))
    // The caller may go away meanwhile; what it asked for is done all the same.
    await this.#wait(effect.delayMs, { isForCaller: false })
  }

  async #answer(fault: AnswerFault, honest: Answered | null): Promise<Answered> {
    const { effect } = fault.rule
    this.#findings.notes.push(faultNote(fault))
    if (effect.delayMs > 0) await this.#wait(effect.delayMs, { isForCaller: true })
    if (effect.leaves === 'never') this.#closeAfter(effect.closedAfterMs)
    return faultyAnswer(effect, honest)
  }

  /** @throws FaultyAnswer if the wait is given up, and nothing can be answered any more */
  async #wait(ms: number, { isForCaller }: { isForCaller: boolean }): Promise<void> {
    const hold = this.#begin(ms)
    if (isForCaller) onceAnswered(this.#c, hold.giveUp)
    if (!(await hold.released)) {
      this.#findings.notes.push('given up while it was held')
      this.#close()
      throw new FaultyAnswer(unanswered)
    }
    onceAnswered(this.#c, hold.left)
  }

  #closeAfter(ms: number | null): void {
    const hold = this.#begin(ms)
    onceAnswered(this.#c, hold.giveUp)
    void hold.released.then(() => {
      onceAnswered(this.#c, hold.left)
      this.#close()
    })
  }

  #begin(ms: number | null): Hold {
    const hold = this.#parts.held.hold(this.#findings.clientId ?? '', ms)
    this.#hold?.left()
    this.#hold = hold
    return hold
  }

  #close(): void {
    connectionOf(this.#c)?.socket.destroy()
  }
}

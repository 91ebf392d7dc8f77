import {
  type FaultCount,
  type FaultsMet,
  type FittingFault,
  faultId,
  faultVerdict,
  type StoredFault,
} from '../../../src/domain/faults/planned-fault.ts'
import type { AnswerCount } from '../../../src/domain/fixture/world.ts'
import type { Binding } from '../../../src/domain/order/decision.ts'
import { type CountedRule, verdictOf } from '../../../src/domain/scenario/answer-rules.ts'
import { EmulatorError } from '../../../src/domain/text/errors.ts'
import type { CompiledScenario, CountedCall, Store } from '../../../src/store/store.ts'
import { pageOf } from './lists.ts'
import { clientOf, type Memory, nextNumber, own, type State } from './state.ts'

/** Verbs about plans: scenarios, their bindings and rules, and faults. */
export const plannedVerbs = ({ read, write, writeIn }: Memory) =>
  ({
    saveScenarioVersion: (version, compiled) => write((state) => addScenario(state, version, compiled)),
    findScenarioVersion: (version) => read((state) => state.scenarios.get(version) ?? null),
    saveScenarioText: (id, text) => write((state) => void state.texts.set(id, text)),
    deleteScenarioText: (id) => write((state) => void state.texts.delete(id)),
    scenarioTexts: () => read(textsOf),

    addBinding: (binding) => write((state) => addBinding(state, binding, new EmulatorError('binding_used'))),
    bindingFor: (clientId, requestId) => read((state) => bindingFor(state, clientId, requestId)),
    listBindings: (query) => read((state) => pageOf(state.bindings.values(), bindingList, query)),
    deleteBindings: (which) => write((state) => removeFitting(state.bindings, which, ({ thing }) => thing)),

    countAnswer: (call) =>
      writeIn(call, (state) => {
        for (const rule of call.rules) {
          const calls = count(state, call, rule)
          if (calls === null) continue
          if (call.pins !== undefined) pin(state, call.pins)
          return { rule: own(rule), calls }
        }
        return null
      }),

    addFault: (fault, seed) => write((state) => addFault(state, fault, seed)),
    faults: () => read((state) => inOrder(state).map(({ place: _, ...fault }) => fault)),
    countFault: (fitting) =>
      write((state) => {
        const count = faultCounter(state)
        const hit = count.firstOf(fitting)
        return { ...count.met(), hit }
      }),
    deleteFaults: (which) => write((state) => removeFitting(state.faults, which, (fault) => fault)),
  }) satisfies Partial<Store>

export function addScenario(state: State, version: string, compiled: CompiledScenario): void {
  if (!state.scenarios.has(version)) state.scenarios.set(version, own(compiled))
}

export const textsOf = (state: State) =>
  [...state.texts].map(([id, text]) => ({ id, text })).sort((a, b) => (a.id < b.id ? -1 : 1))

/** @param taken what is thrown if its id is another's */
export function addBinding(state: State, binding: Binding, taken: EmulatorError): void {
  if (state.bindings.has(binding.id)) throw taken
  // A binding that is used up is never read again.
  if (binding.remaining > 0) state.bindings.set(binding.id, own({ place: nextNumber(state), thing: binding }))
}

/** Uses one of a binding up. Answers false if there is none left. */
export function takeBinding(state: State, id: string): boolean {
  const binding = state.bindings.get(id)
  if (binding === undefined) return false
  const { thing } = binding
  const remaining = thing.remaining - 1
  if (remaining === 0) state.bindings.delete(id)
  else state.bindings.set(id, own({ ...binding, thing: { ...thing, remaining } }))
  return true
}

/** Removes what has these members; answers how many. */
function removeFitting<T>(
  from: Map<string, T>,
  { id, clientId }: { id?: string | undefined; clientId?: string | undefined },
  shown: (each: T) => { readonly id: string; readonly clientId: string | null },
): number {
  const fitting = [...from.values()]
    .map(shown)
    .filter((each) => (id ?? each.id) === each.id && (clientId ?? each.clientId) === each.clientId)
  for (const each of fitting) from.delete(each.id)
  return fitting.length
}

function bindingFor(state: State, clientId: string, requestId: string): Binding | null {
  const fitting = [...state.bindings.values()]
    .map(({ thing }) => thing)
    .filter((each) => (each.clientId ?? clientId) === clientId && (each.requestId ?? requestId) === requestId)
  const rank = (each: Binding) => (each.requestId === null ? 0 : 2) + (each.clientId === null ? 0 : 1)
  return fitting.sort((a, b) => rank(b) - rank(a))[0] ?? null
}

const bindingList = {
  letter: 'b',
  members: [],
  shown: (binding: Binding) => ({ ...binding }),
  searched: () => [],
}

/** Counts a call for a rule; answers how many it has counted if it answers this one. */
function count(state: State, call: CountedCall, { name, rule }: CountedRule): number | null {
  const { clientId, requestId, scenarioId, at } = call
  const counted = { clientId, requestId, scenarioId, rule: name }
  const before = state.answerCounts.get(countKey(counted)) ?? null
  const verdict = verdictOf(rule, before, at)
  if (verdict === 'over') return null
  const calls = (before?.calls ?? 0) + 1
  state.answerCounts.set(countKey(counted), own({ ...counted, calls, since: before?.since ?? at }))
  return verdict === 'answers' ? calls : null
}

export const countKey = (count: Omit<AnswerCount, 'calls' | 'since'>): string =>
  JSON.stringify([count.clientId, count.requestId, count.scenarioId, count.rule])

/** @throws binding_used */
function pin(state: State, { from, pinned }: NonNullable<CountedCall['pins']>): void {
  const used = new EmulatorError('binding_used')
  if (!takeBinding(state, from)) throw used
  addBinding(state, pinned, used)
}

function addFault(state: State, fault: Omit<StoredFault, 'id'>, seed: string): StoredFault & FaultCount {
  let id: string
  // One from before a change of the seed may have it.
  do id = faultId(fault, seed, nextPlace(state, fault.clientId))
  while (state.faults.has(id))
  const added = own({ ...fault, id, calls: 0, hits: 0 })
  state.faults.set(id, own({ ...added, place: nextNumber(state) }))
  return added
}

/** All faults, oldest first. */
export const inOrder = (state: State) => [...state.faults.values()].sort((a, b) => a.place - b.place)

/** How many faults were planned before, of a client or of all. @throws client_unknown */
function nextPlace(state: State, clientId: string | null): number {
  if (clientId === null) {
    state.plannedFaults += 1
    return state.plannedFaults - 1
  }
  const client = clientOf(state, clientId)
  state.clients.set(clientId, own({ ...client, plannedFaults: client.plannedFaults + 1 }))
  return client.plannedFaults
}

/** Counts for faults, and collects the new counts. */
export function faultCounter(state: State) {
  const met = new Map<string, FaultCount>()
  const gone = new Set<string>()
  const hitBy = (fitting: FittingFault): FaultCount | null => {
    const before = state.faults.get(fitting.id)
    if (before === undefined) {
      gone.add(fitting.id)
      return null
    }
    const verdict = faultVerdict(fitting, before)
    const { id, calls, hits } = before
    const isHit = verdict === 'hits'
    const now = { id, calls: verdict === 'over' ? calls : calls + 1, hits: isHit ? hits + 1 : hits }
    state.faults.set(id, own({ ...before, ...now }))
    met.set(id, now)
    return isHit ? now : null
  }
  return {
    /** The first that is done. */
    firstOf: (fitting: readonly FittingFault[]): FaultCount | null => {
      for (const each of fitting) {
        const hit = hitBy(each)
        if (hit !== null) return hit
      }
      return null
    },
    met: (): FaultsMet => ({ counts: [...met.values()], gone: [...gone] }),
  }
}

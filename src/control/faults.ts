import * as z from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import type { FaultCount } from '../domain/fault/planned-fault.ts'
import { faultRequest } from '../domain/fault/planned-fault-text.ts'
import type { ListQuery, StoredFault } from '../store/store.ts'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery, isOf, listOf, listQuery, oneClientId, yesOrNo } from './input.ts'
import { json } from './json-answer.ts'
import type { ControlParts } from './parts.ts'
import { fault } from './shapes/fault.ts'
import { pageOf } from './shapes/page.ts'

/** `/faults`: misbehaviour that is planned while the emulator runs. Each fault has a count or an end, so that it heals
 *  itself; what is over stays listed until it is removed, or room is needed. */
export const faultCalls = [
  controlCall({
    method: 'GET',
    path: '/faults',
    name: 'listFaults',
    summary: 'List planned faults',
    description:
      'With `clientId` those that belong to that client; those of all clients belong to none. Faults that are over stay listed.',
    query: listQuery([]).extend({
      over: yesOrNo('Only those that are over, or only those that are not.'),
    }),
    body: noBody,
    answers: { 200: pageOf(fault) },
    errors: ['bad_cursor'],
    handle: async ({ query: { over, ...query } }, parts) => {
      const isMeant = (each: { readonly over: boolean }) =>
        over === undefined || each.over === (over === 'true')
      return json(await pageOfFaults(listOf(query), isMeant, parts))
    },
  }),
  controlCall({
    method: 'POST',
    path: '/faults',
    name: 'planFault',
    summary: 'Plan a fault of the API or of deliveries',
    description:
      'It is done once if nothing says how often or until when. What is planned goes before the rules of scenarios; of several that fit, the oldest that is not over is done.',
    query: clientQuery,
    body: faultRequest,
    answers: { 201: fault },
    errors: ['client_unknown', 'too_many_faults'],
    handle: async ({ query, body }, parts) => {
      const clientId = oneClientId(body, query) ?? null
      if (clientId !== null) parts.clients.get(clientId)
      return json(presentFault(await parts.faultPlans.plan(body, clientId), parts), 201)
    },
  }),
  controlCall({
    method: 'DELETE',
    path: '/faults',
    name: 'removeFaults',
    summary: 'Remove all planned faults',
    description: 'With `clientId` those that belong to that client; those of all clients stay.',
    query: clientQuery,
    body: noBody,
    answers: { 200: z.strictObject({ removed: z.int().meta({ description: 'How many.' }) }) },
    handle: async ({ query: { clientId } }, { faultPlans }) =>
      json({ removed: await faultPlans.removeAll(clientId) }),
  }),
  controlCall({
    method: 'GET',
    path: '/faults/{id}',
    name: 'getFault',
    summary: 'Read a planned fault, with how often it was met',
    query: clientQuery,
    body: noBody,
    answers: { 200: fault },
    errors: ['fault_unknown'],
    handle: async ({ param, query }, parts) =>
      json(presentFault(await foundFault(param('id'), query, parts), parts)),
  }),
  controlCall({
    method: 'DELETE',
    path: '/faults/{id}',
    name: 'removeFault',
    summary: 'Remove a planned fault, and answer it as it was',
    query: clientQuery,
    body: noBody,
    answers: { 200: fault },
    errors: ['fault_unknown'],
    handle: async ({ param, query }, parts) => {
      const { id } = await foundFault(param('id'), query, parts)
      return json(presentFault(await parts.faultPlans.remove(id), parts))
    },
  }),
]

/** The store does not know which are over: their ends are on the clients' clocks. @throws bad_cursor */
async function pageOfFaults(
  query: ListQuery,
  isMeant: (shown: ReturnType<typeof presentFault>) => boolean,
  parts: ControlParts,
) {
  const items: ReturnType<typeof presentFault>[] = []
  let { cursor } = query
  for (;;) {
    const page = await parts.store.listFaults({ ...query, cursor, limit: query.limit - items.length })
    items.push(...page.items.map((each) => presentFault(each, parts)).filter(isMeant))
    if (page.next === null || items.length === query.limit) return { items, next: page.next }
    cursor = page.next
  }
}

/** @throws fault_unknown */
async function foundFault(
  id: string,
  query: { readonly clientId?: string | undefined },
  { store }: ControlParts,
): Promise<StoredFault & FaultCount> {
  const found = await store.findFault(id)
  if (found === null || !isOf(found, query)) throw new EmulatorError('fault_unknown', { id })
  return found
}

function presentFault(counted: StoredFault & FaultCount, { faultPlans }: ControlParts) {
  const { id, clientId, asked, ends, calls, hits } = counted
  const { on, where, when, effect, skip, times, for: length, probability } = asked
  const until = clientId === null && length !== null ? null : (ends?.at ?? null)
  const limits = { skip, times, for: length, until, probability }
  return { id, clientId, on, where, when, effect, ...limits, calls, hits, over: faultPlans.isOver(counted) }
}

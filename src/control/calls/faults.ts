import * as z from 'zod'
import type { FaultCount, StoredFault } from '../../domain/faults/planned-fault.ts'
import { faultRequest } from '../../domain/faults/planned-fault-text.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, isOf, listOf, listQuery, oneClientId, yesOrNo } from '../input.ts'
import type { ControlParts } from '../parts.ts'
import { pageOf } from '../shapes/common.ts'
import { fault } from '../shapes/fault.ts'

/** `/faults`: faults planned at run time. Each fault has a count or an end. Ended faults stay listed until they are
 *  removed or room is needed. */
export const faultCalls = [
  controlCall({
    method: 'GET',
    path: '/faults',
    name: 'listFaults',
    summary: 'List planned faults',
    description:
      'With `clientId`, only the faults of that client; faults for all clients belong to none. Faults that have ended stay in the list.',
    query: listQuery([]).extend({
      over: yesOrNo('Only faults that have ended, or only active ones.'),
    }),
    body: noBody,
    answers: { 200: pageOf(fault) },
    errors: ['bad_cursor'],
    handle: async ({ query: { over, ...query } }, parts) => {
      const isOver = over === undefined ? undefined : over === 'true'
      const { items, next } = parts.plannedFaults.list(listOf(query), isOver)
      return json({ items: items.map((each) => presentFault(each, parts)), next })
    },
  }),
  controlCall({
    method: 'POST',
    path: '/faults',
    name: 'planFault',
    summary: 'Plan a fault of the API or of deliveries',
    description:
      'The fault happens once, unless you set a count or an end. Planned faults override the rules of scenarios. If several match, the oldest active one happens.',
    query: clientQuery,
    body: faultRequest,
    answers: { 201: fault },
    errors: ['client_unknown', 'too_many_faults'],
    handle: async ({ query, body }, parts) => {
      const clientId = oneClientId(body, query) ?? null
      if (clientId !== null) parts.clients.get(clientId)
      return json(presentFault(await parts.plannedFaults.plan(body, clientId), parts), 201)
    },
  }),
  controlCall({
    method: 'DELETE',
    path: '/faults',
    name: 'removeFaults',
    summary: 'Remove all planned faults',
    description: 'With `clientId`, only the faults of that client; faults for all clients stay.',
    query: clientQuery,
    body: noBody,
    answers: {
      200: z.strictObject({ removed: z.int().meta({ description: 'The number of removed faults.' }) }),
    },
    handle: async ({ query: { clientId } }, { plannedFaults: faultPlans }) =>
      json({ removed: await faultPlans.removeAll(clientId) }),
  }),
  controlCall({
    method: 'GET',
    path: '/faults/{id}',
    name: 'getFault',
    summary: 'Read a planned fault, with its number of matches',
    query: clientQuery,
    body: noBody,
    answers: { 200: fault },
    errors: ['fault_unknown'],
    handle: async ({ param, query }, parts) =>
      json(presentFault(foundFault(param('id'), query, parts), parts)),
  }),
  controlCall({
    method: 'DELETE',
    path: '/faults/{id}',
    name: 'removeFault',
    summary: 'Remove a planned fault, and return it',
    query: clientQuery,
    body: noBody,
    answers: { 200: fault },
    errors: ['fault_unknown'],
    handle: async ({ param, query }, parts) => {
      const { id } = foundFault(param('id'), query, parts)
      return json(presentFault(await parts.plannedFaults.remove(id), parts))
    },
  }),
]

/** @throws fault_unknown */
function foundFault(
  id: string,
  query: { readonly clientId?: string | undefined },
  { plannedFaults: faultPlans }: ControlParts,
): StoredFault & FaultCount {
  const found = faultPlans.get(id)
  if (!isOf(found, query)) throw new EmulatorError('fault_unknown', { id })
  return found
}

function presentFault(counted: StoredFault & FaultCount, { plannedFaults: faultPlans }: ControlParts) {
  const { id, clientId, asked, ends, calls, hits } = counted
  const { on, where, when, effect, skip, times, for: length, probability } = asked
  const until = clientId === null && length !== null ? null : (ends?.at ?? null)
  const limits = { skip, times, for: length, until, probability }
  return { id, clientId, on, where, when, effect, ...limits, calls, hits, over: faultPlans.isOver(counted) }
}

import * as z from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import { listMembers } from '../store/list-members.ts'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery, isOf, listOf, listQuery, searchIn } from './input.ts'
import { json } from './json-answer.ts'
import { pageOf } from './shapes/page.ts'
import { journalEntry } from './shapes/request.ts'
import { spelledOut } from './watch/kinds.ts'
import { possible } from './watch/where-problems.ts'

/** `/requests`: the journal. */
export const requestCalls = [
  controlCall({
    method: 'GET',
    path: '/requests',
    name: 'listRequests',
    summary: 'List requests to the service and their answers',
    query: listQuery(listMembers.requests)
      .extend(searchIn('requestId', 'id', 'path'))
      .superRefine(possible('request')),
    body: noBody,
    answers: {
      200: pageOf(journalEntry).extend({
        pruned: z.int().meta({ description: 'How many entries have given way to newer ones.' }),
      }),
    },
    errors: ['bad_cursor'],
    handle: async ({ query }, { journal, store }) => {
      const { items, next } = await journal.list(listOf(spelledOut(query)))
      return json({ items, next, pruned: await store.prunedRequests() })
    },
  }),
  controlCall({
    method: 'GET',
    path: '/requests/{id}',
    name: 'getRequest',
    summary: 'Read an entry of the journal',
    description:
      'Every answer of the service names its entry in the header `emulator-request-id`. A refusal has the address of its page in `emulator-diagnosis`.',
    query: clientQuery,
    body: noBody,
    answers: { 200: journalEntry },
    errors: ['request_unknown'],
    handle: async ({ param, query }, { journal }) => {
      const id = param('id')
      const entry = await journal.get(id)
      if (!isOf(entry, query)) throw new EmulatorError('request_unknown', { id })
      return json(entry)
    },
  }),
]

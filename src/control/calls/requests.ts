import * as z from 'zod'
import { EmulatorError } from '../../domain/text/errors.ts'
import { listFields } from '../../store/list-fields.ts'
import { json } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery, isOf, listOf, listQuery, searchIn } from '../input.ts'
import { pageOf } from '../shapes/common.ts'
import { journalEntry } from '../shapes/request.ts'
import { spelledOut } from '../watch/observation.ts'
import { possible } from '../watch/where-problems.ts'

/** The control calls below `/requests`: the request log. */
export const requestCalls = [
  controlCall({
    method: 'GET',
    path: '/requests',
    name: 'listRequests',
    summary: 'List requests to the service and their answers',
    query: listQuery(listFields.requests)
      .extend(searchIn('requestId', 'id', 'path'))
      .superRefine(possible('request')),
    body: noBody,
    answers: {
      200: pageOf(journalEntry).extend({
        pruned: z.int().meta({ description: 'The number of entries that newer ones replaced.' }),
      }),
    },
    errors: ['bad_cursor'],
    handle: async ({ query }, { journal }) => json(await journal.list(listOf(spelledOut(query)))),
  }),
  controlCall({
    method: 'GET',
    path: '/requests/{id}',
    name: 'getRequest',
    summary: 'Read an entry of the request log',
    description:
      'The header `emulator-request-id` of every answer contains the id of its entry. If a request is refused, `emulator-diagnosis` contains the URL of its page.',
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

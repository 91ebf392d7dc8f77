import { choicesTable } from '../domain/choices.ts'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery, paging } from './input.ts'
import { json } from './json-answer.ts'
import { pageAfter } from './page-after.ts'
import { choice } from './shapes/choice.ts'
import { pageOf } from './shapes/page.ts'

/** `/choices`: what the interface document leaves open, and the settings that decide it. */
export const choiceCalls = [
  controlCall({
    method: 'GET',
    path: '/choices',
    name: 'listChoices',
    summary: 'List what the API specification leaves open, and what the emulator does instead',
    query: clientQuery.extend(paging),
    body: noBody,
    answers: { 200: pageOf(choice) },
    errors: ['bad_cursor'],
    handle: async ({ query: { clientId, ...page } }, { clients }) =>
      json(pageAfter(choicesTable(...clients.overlaysOf(clientId)), ({ n }) => n, page)),
  }),
]

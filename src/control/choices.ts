import { choicesTable } from '../domain/choices.ts'
import { controlCall, json, noBody } from './control-call.ts'
import { clientQuery } from './input.ts'
import { choice } from './shapes/choice.ts'
import { pageOf } from './shapes/page.ts'

/** `/choices`: what the interface document leaves open, and the settings that decide it. */
export const choiceCalls = [
  controlCall({
    method: 'GET',
    path: '/choices',
    name: 'listChoices',
    summary: 'List what the interface document leaves open and what the emulator does about it',
    query: clientQuery,
    body: noBody,
    answers: { 200: pageOf(choice) },
    handle: ({ query: { clientId } }, { clients }) =>
      json({ items: choicesTable(...clients.overlaysOf(clientId)), next: null }),
  }),
]

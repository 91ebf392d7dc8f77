import fc from 'fast-check'
import { type Answering, answers } from '../answers.ts'
import { anyClient, type Kind } from '../command.ts'
import type { ClientId } from '../world.ts'

const answerings = Object.keys(answers).filter((name): name is Answering => name in answers)

/** The client's endpoint answers differently from now on. */
export const answer: Kind<{ client: ClientId; answering: Answering }> = {
  name: 'the endpoint of',
  weight: 6,
  parameters: fc.record({ client: anyClient, answering: fc.constantFrom(...answerings) }),
  words: ({ client, answering }) => `${client} answers ${answering}`,
  act: async ({ sides, bench }, { client, answering }) => {
    sides[client].model.outbox.answering = answering
    bench.endpoints.answerFromNowOn(client, answering)
  },
}

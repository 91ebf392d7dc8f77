import type { ConfigInput } from '../../../src/app/config.ts'
import type { Answer } from '../../support/answer.ts'
import type { ClientFields, TestClient } from '../../support/client.ts'
import { startTestEmulator, type TestEmulator } from '../../support/emulator.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { scenarioFiles } from '../../support/scenario-files.ts'

/** An emulator, and a client whose orders follow a scenario with these answers. */
export interface Given {
  readonly emulator: TestEmulator
  readonly client: TestClient
  readonly receiver: Receiver
}

/** @param answers the list `answers:` of the scenario, as YAML in one line */
export async function given(
  answers: string,
  {
    timeline = '[]',
    config = {},
    client = {},
  }: { timeline?: string; config?: ConfigInput; client?: ClientFields } = {},
): Promise<Given> {
  const scenarios = [scenarioFiles({ faulty: `timeline: ${timeline}\nanswers: ${answers}` })]
  const emulator = await startTestEmulator({ scenarios, ...config })
  const receiver = await startReceiver()
  const fields = { defaultScenario: 'faulty', webhookUrl: receiver.url, ...client }
  return { emulator, client: await emulator.addClient(fields), receiver }
}

/** The status of each of some calls, one after the other. */
export async function statusesOf(calls: readonly (() => Promise<Answer>)[]): Promise<number[]> {
  const statuses: number[] = []
  for (const call of calls) statuses.push((await call()).status)
  return statuses
}

/** The notes on faults in the journal, oldest first. */
export async function faultNotes({ emulator, client }: Given): Promise<string[]> {
  const { items } = await emulator.control(`/requests?clientId=${client.clientId}`)
  return items
    .flatMap(({ notes }) => (Array.isArray(notes) ? notes.map(String) : []))
    .filter((note) => note.startsWith('fault: '))
}

/** Resolves when a condition holds; asks again and again, over HTTP. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 5_000; tries++) if (await holds()) return
  throw new Error('it never came to that')
}

/** Resolves when the client's order under a requestId is there. */
export function untilStored({ emulator, client }: Given, requestId: string): Promise<void> {
  const query = new URLSearchParams({ clientId: client.clientId, requestId })
  return until(async () => (await emulator.control(`/orders?${query}`)).items.length > 0)
}

/** Resolves when something is to happen on the client's clock, as there is when a call is held and nothing else due. */
export function untilHeld({ client }: Pick<Given, 'client'>): Promise<void> {
  return until(async () => (await client.advance('0s')).nextDueAt !== null)
}

import { reasonOf } from '../application/http-call.ts'
import type { Pulse } from '../application/pulse.ts'
import { WrongConfiguration } from '../finding.ts'
import type { Setting } from '../stage/case-context.ts'
import { ApplicationStopped } from './application-stopped.ts'

/** Moves the client's clock. An application that is just being started again, or has died, is not told the time.
 *  @throws WrongConfiguration if it runs and refuses the time */
export async function moved({ app, client, clock }: Setting, by: string, pulse: Pulse): Promise<void> {
  try {
    await clock.advance(by, false)
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error
    // It may have started meanwhile.
    if (await pulse()) await app.time?.(await client.clock.now())
  }
}

/** Kills the application and starts it again, and tells it the time of the client's clock.
 *  @throws ApplicationStopped if it does not start again */
export async function restarted({ app, client, process }: Setting): Promise<void> {
  await process?.restart().catch((error: unknown) => {
    throw new ApplicationStopped(`your application was ended, and did not start again: ${reasonOf(error)}`)
  })
  await app.time?.(await client.clock.now())
}

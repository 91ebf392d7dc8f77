import { reasonOf } from '../application/http-call.ts'
import type { Pulse } from '../application/pulse.ts'
import { WrongConfiguration } from '../finding.ts'
import type { Setting } from '../stage/case-context.ts'
import { until } from '../stage/waiting.ts'
import { ApplicationStopped } from './application-stopped.ts'

/** Moves the client's clock, and notifies the application of the time unless it is just being started again, or has
 *  died.
 *  @throws WrongConfiguration if it runs and refuses the time */
export async function moved(setting: Setting, by: string, pulse: Pulse): Promise<void> {
  try {
    await setting.clock.advance(by, false)
  } catch (error) {
    if (!(error instanceof WrongConfiguration)) throw error
    if (!(await notifiedOfTime(setting)) && (await pulse())) throw error
  }
}

/** Makes the application look up its open orders, if it can. That may fail while its calls do. */
export async function reconciled({ app }: Setting): Promise<void> {
  await app.reconcile?.().catch((error: unknown) => {
    if (!(error instanceof WrongConfiguration)) throw error
  })
}

/** Kills the application and starts it again, and notifies it of the time of the client's clock.
 *  @throws ApplicationStopped if it does not start again */
export async function restarted(setting: Setting): Promise<void> {
  await setting.process?.restart().catch((error: unknown) => {
    throw new ApplicationStopped(`your application was ended, and did not start again: ${reasonOf(error)}`)
  })
  await notifiedOfTime(setting)
}

/** Notifies the application of the time of the client's clock, as soon as it takes it: it may be starting just now.
 *  @returns whether it has taken it */
async function notifiedOfTime({ app, client, signal }: Setting): Promise<boolean> {
  const { time } = app
  if (time === null) return true
  const nowMs = await client.clock.now()
  const isTaken = () =>
    time(nowMs).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof WrongConfiguration)) throw error
        return false
      },
    )
  return until(isTaken, app.patienceMs, signal)
}

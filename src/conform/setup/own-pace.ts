import { stopwatch } from '../../time/wall.ts'
import { type Application, ProbeFailed } from '../application/application.ts'
import { Finding, NotSeen } from '../finding.ts'
import type { Setting } from '../stage/setting.ts'
import { Stage } from '../stage/stage.ts'

/** Nobody is watched for longer, however slow it is. */
const longestSettleMs = 3_000
/** However quick it is, it may be slower for once. */
const shortestWatchMs = 150

/** Measures how long an application takes to act on a payment, and waits as long for it as it needs: so that one that
 *  is slower than its configuration says is neither taken for lost nor left before it does something twice. */
export async function atItsOwnPace(setting: Setting): Promise<Application> {
  const { app } = setting
  if (app.start === null || app.probe === null) return app
  const tookMs = await timeToAct(setting)
  if (tookMs === 'unknown') return app
  if (tookMs === 'never') return withoutHope(app)
  const settleMs = Math.max(app.settleMs, Math.min(2 * tookMs, longestSettleMs))
  return {
    ...app,
    settleMs,
    actsWithinMs: Math.min(settleMs, Math.max(5 * tookMs, shortestWatchMs)),
    patienceMs: Math.max(app.patienceMs, 2 * tookMs),
  }
}

/** For one that has not acted on a plain payment, for as long as both patience and polling last: what K01 says of that
 *  is not worth as much time in every other case. */
function withoutHope(app: Application): Application {
  const enoughMs = Math.max(2 * app.settleMs, 1_000)
  return {
    ...app,
    patienceMs: Math.min(app.patienceMs, enoughMs),
    pollingMs: Math.min(app.pollingMs, enoughMs),
  }
}

/** From the moment in which the payment is told until it has been acted on, milliseconds; `never`: it is not, however
 *  long is waited. */
async function timeToAct(setting: Setting): Promise<number | 'never' | 'unknown'> {
  const stage = await Stage.open('K00', setting)
  try {
    const order = await stage.order()
    await stage.advance('10s')
    const watch = stopwatch()
    const acted = await stage.until(
      async () => {
        const seen = await order.probe()
        return seen?.state === 'COMPLETED' && (seen.effects ?? 1) > 0
      },
      Math.max(setting.app.patienceMs, setting.app.pollingMs),
    )
    return acted ? Math.round(stopwatch() - watch) : 'never'
  } catch (error) {
    // What is wrong with it is for the cases to find.
    if (error instanceof Finding || error instanceof NotSeen || error instanceof ProbeFailed) return 'unknown'
    throw error
  } finally {
    await stage.close()
  }
}

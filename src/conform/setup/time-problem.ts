import { short } from '../application/http-call.ts'
import type { ConfigurationProblem } from '../report.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { isRefusal } from './webhook-problem.ts'

/** Longer than the five minutes by which the time of a webhook may be off. */
const ahead = '10m'

/** What is wrong with `time`, where an application that is told the client's clock compares the time of a webhook with
 *  that clock. Webhooks carry the time of the wall, so it would refuse every one of the run, and cases whose webhooks
 *  do no harm to it would pass.
 *  @param before orders of which it has had webhooks already */
export async function timeProblem(
  before: readonly StagedOrder[],
  stage: Stage,
): Promise<ConfigurationProblem | null> {
  const { app } = stage
  if (app.time === null || !(await attemptsOf(before)).some(({ status }) => isAccepted(status))) return null
  await stage.advance(ahead)
  const { order: begin } = await stage.begin()
  const order = await begin(app.patienceMs)
  await stage.settle()
  const attempts = await attemptsOf([order])
  const [first] = attempts
  if (first === undefined || !attempts.every(({ status }) => isRefusal(status, app))) return null
  return {
    member: 'time',
    message: `your application accepted webhooks, but since this call has set its clock ahead it answers every webhook ${first.status}${first.responseBody ? `: ${short(first.responseBody)}` : ''}. Webhooks are signed with the wall-clock time, whatever the client's clock shows: compare their timestamp with the wall-clock time too, not with the time that this call sets`,
  }
}

const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300

async function attemptsOf(orders: readonly StagedOrder[]) {
  const deliveries = await Promise.all(orders.map((order) => order.deliveries()))
  return deliveries.flat().flatMap(({ attempts }) => attempts)
}

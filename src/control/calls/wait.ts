import * as z from 'zod'
import { EmulatorError } from '../../domain/text/errors.ts'
import { json, jsonText } from '../answer.ts'
import { controlCall } from '../control-call.ts'
import { clientQuery, requireClient } from '../input.ts'
import { missed, where } from '../shapes/common.ts'
import { inQueryWords, nearestInWords, whereInWords } from '../watch/near-misses.ts'
import { shownAs, spelledOut, watchedKinds } from '../watch/observation.ts'
import { strayMembers, whereProblems } from '../watch/where-problems.ts'

const waitRequest = z
  .strictObject(
    {
      for: z.enum(watchedKinds),
      where: where.default({}),
      timeoutMs: z
        .int()
        .min(0)
        .max(600_000)
        .default(10_000)
        .meta({ description: 'Milliseconds of wall-clock time; 0 checks only once.' }),
    },
    { error: strayMembers },
  )
  .superRefine(({ for: kind, where: wanted }, context) => {
    for (const { member, message } of whereProblems(kind, wanted))
      context.addIssue({ code: 'custom', path: ['where', member], message })
  })
  .meta({
    id: 'WaitRequest',
    example: { for: 'order', where: { requestId: 'r1', orderStatus: 'COMPLETED' }, timeoutMs: 10_000 },
  })

export const waitCalls = [
  controlCall({
    method: 'POST',
    path: '/wait',
    name: 'wait',
    summary: 'Wait until an order, a delivery or a request matches',
    description:
      'Returns the item as its GET shows it: at once if it already matches, otherwise as soon as it does. A wait moves no clock. Advance a manual clock yourself.',
    query: clientQuery,
    body: waitRequest,
    answers: {
      200: z
        .union([shownAs.order, shownAs.delivery, shownAs.request])
        .meta({ description: 'The matching item.' }),
      408: missed,
    },
    errors: ['too_many_waits', 'stopping'],
    handle: async ({ query, body, c }, { waits, clients }) => {
      const { for: kind, timeoutMs } = body
      const { signal } = c.req.raw
      const wanted = { kind, where: spelledOut(body.where), clientId: query.clientId }
      requireClient(body.where, query, clients)
      const { found, nearest: misses } = await waits.wait({ ...wanted, timeoutMs, signal })
      if (found !== null) return jsonText(found)
      const nearest = inQueryWords(misses, body.where)
      const { code, message, status } = new EmulatorError('wait_timed_out', {
        kind,
        where: whereInWords(body.where),
        timeoutMs: String(timeoutMs),
        nearest: nearestInWords(nearest, body.where),
      })
      return json({ error: { code, message }, nearest }, status)
    },
  }),
]

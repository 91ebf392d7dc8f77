import * as z from 'zod'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { Where } from '../../domain/text/where.ts'
import { json } from '../answer.ts'
import { controlCall } from '../control-call.ts'
import { clientQuery, oneClientId, requireClient } from '../input.ts'
import { missed, where } from '../shapes/common.ts'
import {
  inQueryWords,
  NearestMisses,
  type NearMiss,
  nearestInWords,
  whereInWords,
} from '../watch/near-misses.ts'
import { type LookParts, seen, spelledOut } from '../watch/observation.ts'
import { filtersOf, newest } from '../watch/query.ts'
import { strayMembers, whereProblems } from '../watch/where-problems.ts'

const number = z.int().min(0).optional()

export const verifyRequest = z
  .strictObject(
    {
      where: where.default({}).meta({ description: 'Which requests match.' }),
      clientId: z.string().min(1).optional().meta({ description: 'Only requests of this client.' }),
      count: number.meta({ description: 'Exactly this many.' }),
      atLeast: number.meta({ description: 'At least this many. 1 if no number is given.' }),
      atMost: number.meta({ description: 'At most this many.' }),
    },
    { error: strayMembers },
  )
  .refine(({ count, atLeast, atMost }) => count === undefined || (atLeast ?? atMost) === undefined, {
    path: ['count'],
    message: 'cannot be combined with atLeast or atMost',
  })
  .refine(({ atLeast = 0, atMost = Infinity }) => atLeast <= atMost, {
    path: ['atMost'],
    message: 'is less than atLeast',
  })
  .superRefine(({ where: wanted }, context) => {
    for (const { member, message } of whereProblems('request', wanted))
      context.addIssue({ code: 'custom', path: ['where', member], message })
  })
  .meta({
    id: 'VerifyRequest',
    example: { where: { operation: 'create-order', 'body.fiatAmount': '10.00' }, count: 1 },
  })

const counted = { count: z.int().meta({ description: 'The number of matching requests.' }) }

export const verifyCalls = [
  controlCall({
    method: 'POST',
    path: '/requests/verify',
    name: 'verifyRequests',
    summary: 'Verify which requests the application has sent',
    description:
      'Counts the matching entries of the request log. `operation` may be `create-order` for both create calls; `body.` and `response.` reach into JSON bodies.',
    query: clientQuery,
    body: verifyRequest,
    answers: {
      200: z.strictObject(counted).meta({ description: 'The expected number.' }),
      409: missed
        .extend(counted)
        .meta({ description: 'Too few requests, with the nearest ones; or too many, with some of them.' }),
    },
    handle: async ({ query, body }, parts) => {
      const clientId = oneClientId(body, query)
      if (clientId !== undefined) parts.clients.get(clientId)
      requireClient(body.where, { clientId }, parts.clients)
      const wanted = spelledOut(body.where)
      const count = await countFitting(wanted, clientId, parts)
      const [least, most] = rangeOf(body)
      if (count >= least && count <= most) return json({ count })
      const tooMany = count > most
      const misses = await nearestIn(wanted, clientId, tooMany, parts)
      const nearest = inQueryWords(misses, body.where)
      const { code, message, status } = new EmulatorError('not_verified', {
        count: String(count),
        where: whereInWords(body.where),
        wanted: rangeInWords(least, most),
        nearest: tooMany ? '' : nearestInWords(nearest, body.where),
      })
      return json({ error: { code, message }, count, nearest }, status)
    },
  }),
]

async function countFitting(where: Where, clientId: string | undefined, parts: LookParts): Promise<number> {
  let count = 0
  const filters = { ...filtersOf('request', where), ...(clientId === undefined ? {} : { clientId }) }
  for await (const observation of newest({ kind: 'request', filters }, parts)) {
    if ((await seen(where, observation)) !== null) count += 1
  }
  return count
}

/** @param fitting whether to return matching requests instead of near misses */
async function nearestIn(
  where: Where,
  clientId: string | undefined,
  fitting: boolean,
  parts: LookParts,
): Promise<readonly NearMiss[]> {
  const nearest = new NearestMisses('request', where, fitting)
  for await (const { read } of newest({ kind: 'request', filters: { clientId } }, parts)) {
    const entry = await read()
    if (entry !== null) nearest.add(entry)
  }
  return nearest.list
}

function rangeOf({
  count,
  atLeast,
  atMost,
}: {
  count?: number | undefined
  atLeast?: number | undefined
  atMost?: number | undefined
}): [least: number, most: number] {
  if (count !== undefined) return [count, count]
  return [atLeast ?? (atMost === undefined ? 1 : 0), atMost ?? Infinity]
}

function rangeInWords(least: number, most: number): string {
  if (least === most) return `exactly ${least}`
  if (most === Infinity) return `at least ${least}`
  return least === 0 ? `at most ${most}` : `${least} to ${most}`
}

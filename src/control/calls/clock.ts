import * as z from 'zod'
import { clockPace, paceOf, type WantedClock } from '../../domain/client/client.ts'
import { addDuration, parseDuration } from '../../domain/text/duration.ts'
import { calendarSpan } from '../../domain/text/duration-schema.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import type { EpochMs } from '../../domain/text/time.ts'
import { lastMoment, moment, offsetMinutes } from '../../domain/text/time.ts'
import type { Clock } from '../../time/clock.ts'
import { json } from '../answer.ts'
import { errorField, idsOf, walkClocks } from '../clock-walk.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'
import type { ControlParts } from '../parts.ts'
import { clocks } from '../shapes/clocks.ts'
import { endedLedger, ledger as ledgerShown } from '../shapes/ledger.ts'

const defaultTimeoutMs = 60_000

const advanceRequest = z
  .strictObject({
    by: calendarSpan.optional(),
    to: moment.optional(),
    timeoutMs: z.int().min(1).max(3_600_000).default(defaultTimeoutMs),
  })
  .refine(
    ({ by, to }) => (by === undefined) !== (to === undefined),
    'needs either `by`, like "10m", or `to`, like "2026-04-21T16:12:09Z"',
  )
  .meta({ id: 'Advance', example: { by: '10m' } })

/** Default limit of due times per run, for schedules that never end, such as a subscription that is never cancelled. */
const mostMoments = 10_000

const toNextRequest = z.strictObject({
  timeoutMs: z.int().min(1).max(3_600_000).default(defaultTimeoutMs),
})

const untilIdleRequest = toNextRequest.extend({ limit: z.int().min(1).max(mostMoments).optional() })

export const clockCalls = [
  controlCall({
    method: 'GET',
    path: '/clock',
    name: 'getClock',
    summary: 'Read the clock of a client, or all clocks',
    query: clientQuery,
    body: noBody,
    answers: { 200: clocks },
    handle: async ({ query: { clientId } }, parts) => json(presentClock(clientId, parts)),
  }),
  controlCall({
    method: 'PUT',
    path: '/clock',
    name: 'setClock',
    summary: 'Set the mode, the time or the speed of a clock',
    description:
      'If `now` is later, the clock walks there like an advance. Without a client, the change applies to all clients and to new ones.',
    query: clientQuery,
    body: clockPace.meta({ id: 'ClockPace', example: { mode: 'manual' } }),
    answers: { 200: clocks },
    errors: ['clock_in_past', 'clock_timed_out', 'stopping'],
    handle: async ({ query: { clientId }, body }, parts) => {
      await setClock(clientId, body, parts)
      return json(presentClock(clientId, parts))
    },
  }),
  controlCall({
    method: 'POST',
    path: '/clock/advance',
    name: 'advanceClock',
    summary: 'Advance the time, and wait for everything that becomes due',
    description:
      '`by` is a duration (`10m`, `P1M`), or `to` a time. The call waits for deliveries too. Without a client, all clients advance by the same amount.',
    query: clientQuery,
    body: advanceRequest,
    answers: { 200: ledgerShown, 504: endedLedger },
    errors: ['clock_in_past', 'stopping'],
    handle: async ({ query: { clientId }, body: { by, to, timeoutMs } }, parts) => {
      const target = by === undefined ? () => to ?? 0 : (now: EpochMs) => later(now, by, clientId, parts)
      const { ledger, timedOut } = await walkClocks({ clientId, target, timeoutMs }, parts)
      return json(ledger, timedOut ? 504 : 200)
    },
  }),
  controlCall({
    method: 'POST',
    path: '/clock/advance-to-next',
    name: 'advanceToNext',
    summary: 'Advance the time to the next due event and no further',
    query: clientQuery,
    body: toNextRequest,
    answers: { 200: ledgerShown, 504: endedLedger },
    errors: ['stopping'],
    handle: async ({ query: { clientId }, body: { timeoutMs } }, parts) => {
      const { ledger, timedOut } = await walkClocks(
        { clientId, target: anywhere, moments: 1, timeoutMs },
        parts,
      )
      return json(ledger, timedOut ? 504 : 200)
    },
  }),
  controlCall({
    method: 'POST',
    path: '/clock/run-until-idle',
    name: 'runUntilIdle',
    summary: 'Advance the time until nothing is due',
    query: clientQuery,
    body: untilIdleRequest,
    answers: { 200: ledgerShown, 409: endedLedger, 504: endedLedger },
    errors: ['stopping'],
    handle: async ({ query: { clientId }, body: { timeoutMs, limit } }, parts) => {
      const moments = limit ?? mostMoments
      const { ledger, timedOut } = await walkClocks({ clientId, target: anywhere, moments, timeoutMs }, parts)
      if (timedOut) return json(ledger, 504)
      // Reaching an explicit limit is expected, not an error.
      const endless = limit === undefined && ledger.nextDueAt !== null
      return endless
        ? json({ error: errorField('never_idle', { moments: String(moments) }), ...ledger }, 409)
        : json(ledger)
    },
  }),
]

function presentClock(clientId: string | undefined, parts: ControlParts): object {
  const { clients, scheduler } = parts
  const read = (id: string) => {
    const { mode, speed } = scheduler.clockState(id)
    return { mode, now: scheduler.now(id), speed }
  }
  if (clientId !== undefined) return read(clientId)
  const { mode, speed } = clients.newClocks.pace
  return {
    mode,
    now: clients.newClocks.begin().anchor,
    speed,
    clients: clients.all().map((client) => ({ clientId: client.clientId, ...read(client.clientId) })),
  }
}

/** Sets the time and pace of one clock, or of all existing and future clocks. A clock walks to a later `now` like an
 *  advance, before the new pace applies. */
async function setClock(
  clientId: string | undefined,
  wanted: WantedClock,
  parts: ControlParts,
): Promise<void> {
  const { clients, scheduler } = parts
  const clientIds = idsOf(clientId, parts)
  if (wanted.now === undefined) {
    await Promise.all(
      clientIds.map((id) => {
        const { mode, speed } = paceOf(scheduler.clockState(id), wanted)
        return scheduler.setPace(id, mode, speed)
      }),
    )
  } else {
    const { now } = wanted
    const atEnd = (clock: Clock) => {
      const { mode, speed } = paceOf(clock.state(), wanted)
      clock.setPace(mode, speed)
    }
    const { timedOut } = await walkClocks(
      { clientId, target: () => now, timeoutMs: defaultTimeoutMs, atEnd },
      parts,
    )
    if (timedOut) throw new EmulatorError('clock_timed_out', { timeoutMs: String(defaultTimeoutMs) })
  }
  if (clientId === undefined) clients.newClocks.setDefaults(clients.newClocks.with(wanted))
}

/** Target at the end of time, for walks limited by due events. */
const anywhere = (): EpochMs => lastMoment

/** Adds a duration to a time. Months clamp to the last day, in the client's `time.offset` (N64j).
 *  @throws invalid_input */
function later(now: EpochMs, by: string, clientId: string | undefined, { clients }: ControlParts): EpochMs {
  const settings = clientId === undefined ? clients.commonSettings : clients.settingsOf(clientId)
  const target = addDuration(now, by, offsetMinutes(settings['time.offset']))
  if (clientId === undefined && target !== null && parseDuration(by) === null && clients.all().length > 1) {
    const problems = `by: ${by} has a different length for different clients; write it in days, or add a clientId`
    throw new EmulatorError('invalid_input', { problems })
  }
  if (target === null || target > lastMoment) {
    throw new EmulatorError('invalid_input', {
      problems: `by: ${by} goes beyond the year 9999`,
    })
  }
  return target
}

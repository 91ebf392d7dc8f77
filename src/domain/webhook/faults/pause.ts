import * as z from 'zod'
import { spanWords } from '../../text/duration.ts'
import { webhookFault } from './fault.ts'

/** A fault that sends the attempt later on the wall clock, for applications that go on working after their answer. */
export const pause = webhookFault({
  stored: { pauseMs: z.int().min(0).optional() },
  written: {},
  read: () => ({}),
  sentences: ({ pauseMs }) =>
    pauseMs === undefined ? [] : [`It was sent ${spanWords(pauseMs)} later by the wall clock.`],
})

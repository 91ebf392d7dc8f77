import * as z from 'zod'
import { formatDuration, parseDuration } from '../../text/duration.ts'
import { shown } from '../../text/issue-words.ts'
import { answerFault } from './answer-fault.ts'
import { longestDelayMs } from './delay.ts'

/** The schema of `hang`: a duration such as `60s`, or `forever`, which becomes null. */
const hangText = z
  .string({ error: ({ input }) => (input === undefined ? undefined : notAHang(input)) })
  .meta({ examples: ['60s', 'forever'] })
  .transform((text, context) => {
    const ms = text === 'forever' ? null : parseDuration(text)
    if (text === 'forever' || (ms !== null && ms <= longestDelayMs)) return { ms }
    context.addIssue(notAHang(text))
    return z.NEVER
  })

const notAHang = (input: unknown): string =>
  `expected \`forever\`, or a duration like 60s up to 30d, not ${shown(input)}`

/** A fault that sends no answer and closes the connection after a while, or never. */
export const hang = answerFault({
  written: {
    hang: hangText.optional().meta({
      description:
        'Sends no answer: the connection stays open this long, on the client’s clock, and is then closed. ' +
        'With `forever` it stays open until the caller gives up.',
    }),
  },
  read: ({ hang }) => (hang === undefined ? {} : { leaves: 'never', closedAfterMs: hang.ms }),
  words: ({ leaves, closedAfterMs }) => {
    if (leaves !== 'never') return []
    return [closedAfterMs === null ? 'hang forever' : `hang ${formatDuration(closedAfterMs)}`]
  },
  notes: ({ leaves, closedAfterMs }) => {
    if (leaves !== 'never') return []
    return [`no answer${closedAfterMs === null ? '' : `, closed after ${formatDuration(closedAfterMs)}`}`]
  },
})

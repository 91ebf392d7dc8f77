import { toneOf } from '../parts.tsx'
import type { Happening, ShownOrder, Sources } from './story.ts'

/** The history; what happened in one step or by one act is told as one. */
export function historyTold({ order, charges }: Sources): Happening[] {
  const told = order.history.filter(({ what }) => !charges.some(({ charge }) => what === `charge ${charge}`))
  const groups: (typeof told)[] = []
  for (const entry of told) {
    const group = groups.at(-1)
    const before = group?.[0]
    const same = before?.at === entry.at && before.step === entry.step && before.what !== 'created'
    if (same) group?.push(entry)
    else groups.push([entry])
  }
  return groups.flatMap((entries, index): Happening[] => {
    const [first] = entries
    if (first === undefined) return []
    const end = entries.findLast(({ to }) => to !== undefined)
    return [
      {
        ...{ id: `history-${index}`, lane: 'step', at: first.at, done: true },
        tone: toneOf(end?.to ?? first.what),
        label: first.from === undefined ? first.what : (end?.to ?? first.what),
        words: entries.map(entryWords).join(', '),
        ...reasonOf(order, end?.to),
      },
    ]
  })
}

function entryWords({ what, from, to }: ShownOrder['history'][number]): string {
  if (to === undefined || what === 'created') return what
  return from === undefined || from === 'none' ? `${what} ${to}` : `${what} ${from} → ${to}`
}

function reasonOf({ errorReason }: ShownOrder, status: string | undefined): { more?: string } {
  if (status !== 'FAILED' || errorReason === null) return {}
  return { more: `${errorReason.errorCode}: ${errorReason.errorDesc}` }
}

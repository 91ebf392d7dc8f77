import type { Case } from '../case.ts'
import { calls } from './calls.ts'
import { messages } from './messages.ts'
import { orderOfEvents } from './order-of-events.ts'
import { repeats } from './repeats.ts'

/** Every case, by its number. */
export const allCases: readonly Case[] = [...repeats, ...orderOfEvents, ...messages, ...calls].toSorted(
  (a, b) => a.id.localeCompare(b.id),
)

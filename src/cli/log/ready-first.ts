import type { FeedEvent } from '../../journal/feed.ts'
import type { Log } from './log.ts'

/** Has a log begin with what is said at the start: requests are answered a moment before it is said that the port is
 *  open. */
export function readyFirst(log: Log): Log {
  let held: FeedEvent[] | null = []
  return {
    ...log,
    ready: (facts) => {
      log.ready(facts)
      const events = held ?? []
      held = null
      for (const event of events) log.event(event)
    },
    event: (event) => {
      if (held === null) log.event(event)
      else held.push(event)
    },
  }
}

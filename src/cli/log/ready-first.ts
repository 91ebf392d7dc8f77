import type { FeedEvent } from '../../journal/feed.ts'
import type { Log } from './log.ts'

/** Has a log begin with what is said at the start: requests are answered a moment before it is said that the port is
 *  open. */
export function readyFirst(log: Log): Log {
  let held: FeedEvent[] | null = []
  const tellHeld = () => {
    const events = held ?? []
    held = null
    for (const event of events) log.event(event)
  }
  return {
    ...log,
    ready: (facts) => {
      log.ready(facts)
      tellHeld()
    },
    // It may be the last thing that is said, and what happened before it may say why.
    error: (error, id) => {
      tellHeld()
      log.error(error, id)
    },
    event: (event) => {
      if (held === null) log.event(event)
      else held.push(event)
    },
  }
}

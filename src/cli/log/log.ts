import type { FeedEvent } from '../../journal/feed.ts'
import type { LogFormat } from '../serve/options.ts'
import type { StartFacts } from '../serve/start-facts.ts'
import type { Terminal } from '../terminal.ts'

/** What the running program says. */
export interface Log {
  ready(facts: StartFacts): void
  event(event: FeedEvent): void
  stopping(why: string): void
  /** Something is wrong inside: a bug, a full disk. `id` names the journal entry it happened in. */
  error(error: unknown, id?: string): void
}

/** The log in a format; only that format's code is loaded. */
export async function createLog(format: LogFormat, terminal: Terminal, demoClientId: string): Promise<Log> {
  if (format === 'json') return (await import('./json-log.ts')).jsonLog(terminal)
  const { prettyLog } = await import('./pretty-log.ts')
  const log = prettyLog(terminal, demoClientId)
  return format === 'pretty' ? log : { ...log, ready: () => {}, event: () => {}, stopping: () => {} }
}

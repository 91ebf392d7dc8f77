import type { FeedEvent } from '../../journal/feed.ts'
import type { LogFormat } from '../serve/options.ts'
import type { StartFacts } from '../serve/start-facts.ts'
import type { Terminal } from '../terminal.ts'
import { jsonLog } from './json-log.ts'
import { prettyLog } from './pretty-log.ts'

/** What the running program says. */
export interface Log {
  ready(facts: StartFacts): void
  event(event: FeedEvent): void
  stopping(why: string): void
  /** Something is wrong inside: a bug, a full disk. `id` names the journal entry it happened in. */
  error(error: unknown, id?: string): void
}

/** The log in a format. */
export function createLog(format: LogFormat, terminal: Terminal, demoClientId: string): Log {
  if (format === 'json') return jsonLog(terminal)
  const log = prettyLog(terminal, demoClientId)
  return format === 'pretty' ? log : { ...log, ready: () => {}, event: () => {}, stopping: () => {} }
}

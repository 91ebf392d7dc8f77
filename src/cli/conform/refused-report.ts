import type { ConformReport } from '../../conform/index.ts'
import { wallNow } from '../../time/wall.ts'
import type { ConfigRefused } from './chosen-config.ts'
import type { ConformFlags } from './options.ts'

/** The report of a run that did not begin, since its file is wrong: each problem by its place. */
export const refusedReport = (
  { problems }: ConfigRefused,
  { seed = '', url, over }: ConformFlags,
): ConformReport => ({
  ok: false,
  sawTooLittle: false,
  seed,
  emulator: url,
  clientId: over.client ?? 'demo-client',
  startedAt: wallNow(),
  ms: 0,
  counts: { PASS: 0, FAIL: 0, WARN: 0, 'NOT-SEEN': 0 },
  problems: problems.map(({ file, line, column, message }) => ({
    member: `${file}:${line}:${column}`,
    message,
  })),
  cases: [],
})

// The integration check of `conform`, for tests.

import type { TestEmulator } from '../index.ts'
import type { ConformConfig } from './config/config.ts'
import type { ConformReport } from './report.ts'
import { Conformance, type ConformOptions } from './run/conformance.ts'

export type { ApplicationProcess } from './application/process.ts'
export type {
  Call,
  ConformConfig,
  Given,
  OrderState,
  ProbeCall,
  Probed,
  ProbeFunction,
  StartCall,
  StartFunction,
  StatusWords,
  WebhookSignature,
} from './config/config.ts'
export { htmlReport } from './report/html-report.tsx'
export { junitReport } from './report/junit-report.ts'
export { markdownReport } from './report/markdown-report.ts'
export type { ProgressPlace } from './report/progress-line.ts'
export { Progress, type TerminalStyle, terminalReport } from './report/terminal-report.ts'
export type * from './report.ts'
export { CaseFailed, ConformTests, type NamedCase, NotConfigured, type Tested } from './run/conform-tests.ts'
export { Conformance, type ConformOptions } from './run/conformance.ts'

/** Tests an application against an emulator, and says which integration bugs it has.
 *  @param emulator where the application has its credentials: in this process, or anywhere else */
export function conform(
  emulator: TestEmulator,
  config: ConformConfig,
  options: ConformOptions = {},
): Promise<ConformReport> {
  return new Conformance(emulator, config, options).run()
}

import { join } from 'node:path'
import { readScript } from './read-script.ts'
import type { Script } from './script.ts'

/** The built-in scenarios whose words the model knows. */
export const scriptIds = [
  'happy',
  'happy-instant',
  'happy-slow',
  'fail-9004',
  'fail-9005',
  'never-pays',
  'overnight',
  'expired-failed',
  'paid-then-failed',
  'unknown-status',
  'payer-decides',
  'refund-initiated',
  'refund-partial-twice',
  'refund-failed',
  'sub-trial-monthly',
  'sub-month3-fails',
  'sub-month-end',
  'sub-cancelled',
  'payout-ok',
  'payout-failed',
  'crypto-payin',
] as const
export type ScriptId = (typeof scriptIds)[number]

const folder = join(import.meta.dirname, '../../scenarios')

const scripts: ReadonlyMap<ScriptId, Script> = new Map(
  scriptIds.map((id) => [id, readScript(join(folder, `${id}.yaml`))]),
)

/** The acts and times of a scenario. */
export function scriptOf(id: ScriptId): Script {
  const script = scripts.get(id)
  if (script === undefined) throw new Error(`no scenario ${id}`)
  return script
}

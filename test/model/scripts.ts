import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** A step of a scenario as its file tells it. */
export interface ScriptStep {
  readonly offsetMs: number
  /** `pay`, or the order's new status. */
  readonly does: string
  readonly errorCode: string | null
}

/** The built-in scenarios whose words the model knows. */
export const scriptIds = [
  'happy',
  'happy-instant',
  'happy-slow',
  'fail-9004',
  'fail-9005',
  'never-pays',
] as const
export type ScriptId = (typeof scriptIds)[number]

const folder = join(import.meta.dirname, '../../scenarios')
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000 }

/** What each scenario does and when, read from its file with other eyes than the emulator's. */
export const scripts: ReadonlyMap<ScriptId, readonly ScriptStep[]> = new Map(
  scriptIds.map((id) => [id, read(join(folder, `${id}.yaml`))]),
)

function read(file: string): ScriptStep[] {
  const { timeline }: { timeline: { at?: string; order?: string; error?: string }[] } = parse(
    readFileSync(file, 'utf8'),
  )
  return timeline.flatMap(({ at, order, error }) =>
    at === undefined
      ? []
      : [
          {
            offsetMs: Number.parseInt(at, 10) * (unitMs[at.slice(-1)] ?? Number.NaN),
            does: order ?? 'pay',
            errorCode: error ?? null,
          },
        ],
  )
}

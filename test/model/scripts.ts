import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** A step of a scenario as its file tells it. */
interface ScriptStep {
  readonly offsetMs: number
  /** `pay`, or the order's new status. */
  readonly does: string
  readonly errorCode: string | null
}

/** How the charges from one number on end. */
export interface ScriptCharges {
  readonly from: number
  readonly status: string
}

/** What a scenario does. */
export interface Script {
  readonly steps: readonly ScriptStep[]
  /** Each interval; null where a subscription has no charge but that of its steps. */
  readonly charges: ScriptCharges | null
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
export const scripts: ReadonlyMap<ScriptId, Script> = new Map(
  scriptIds.map((id) => [id, read(join(folder, `${id}.yaml`))]),
)

interface Line {
  readonly at?: string
  readonly every?: string
  readonly from?: number
  readonly order?: string
  readonly error?: string
}

function read(file: string): Script {
  const { timeline }: { timeline: Line[] } = parse(readFileSync(file, 'utf8'))
  const steps = timeline.flatMap(({ at, order, error }) =>
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
  const recurring = timeline.find(({ every }) => every !== undefined)
  const charges =
    recurring?.order === undefined ? null : { from: recurring.from ?? 1, status: recurring.order }
  return { steps, charges }
}

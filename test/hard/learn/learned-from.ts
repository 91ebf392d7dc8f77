import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SettingsOverlay } from '../../../src/domain/choices/settings.ts'
import type { Claims, Finding } from '../../../src/learn/elimination/finding.ts'
import type { Evidence } from '../../../src/learn/evidence/evidence.ts'
import { type Learned, learnFrom } from '../../../src/learn/learn.ts'
import { readCaptures } from '../../../src/learn/read-captures.ts'
import { ordinaryTraffic, type Part, secrets } from './ordinary-traffic.ts'

/** Plays traffic and reads the captures of it, and nothing else. */
export async function capturedFrom(
  settings: SettingsOverlay,
  how: { readonly seed: number; readonly only?: readonly Part[] },
): Promise<Evidence> {
  const folder = join(tmpdir(), `learn-${randomUUID()}`)
  try {
    const { evidence } = await readCaptures(await ordinaryTraffic(settings, { ...how, folder }), { secrets })
    return evidence
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the captures say about each setting. */
export function findingsIn(evidence: Evidence, claims?: Claims): ReadonlyMap<string, Finding> {
  const { findings }: Learned = learnFrom(evidence, claims)
  return new Map(findings.map((finding) => [finding.setting, finding]))
}

/** Does something for each of a list, some at once: they wait more than they compute. */
export async function eachOf<T, R>(list: readonly T[], act: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = [...list.entries()]
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, each] = next
      results[index] = await act(each)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

const atOnce = 20

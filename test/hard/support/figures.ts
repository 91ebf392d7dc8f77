import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWhole } from './size.ts'

const folder = join(import.meta.dirname, '../../../.figures')

/** The figures of a hard suite. */
export interface Measured {
  /** The part of the promises it belongs to, as `docs/explanation/reliability.md` names it: `crash`, `disk`, ... */
  readonly area: string
  /** The promise, in a sentence. */
  readonly promise: string
  /** The test's file, from the project's root. */
  readonly test: string
  readonly figures: Readonly<Record<string, string | number>>
}

/** Prints what a suite has measured and, of a run at its whole size, keeps it for `tools/docs.ts`. To be called before
 *  the suite expects anything, so that a failure shows its figures too. */
export function report(measured: Measured): void {
  process.stdout.write(`${measured.area}: ${measured.promise}\n  ${figuresText(measured.figures)}\n`)
  // The browser tests have but one size.
  if (!isWhole && !measured.test.startsWith('test/browser/')) return
  const name = `${measured.area} ${measured.promise}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name.slice(0, 100)}.json`), `${JSON.stringify(measured, null, 2)}\n`)
}

/** All that was kept, of this run and of earlier ones. */
export function kept(): Measured[] {
  return readdirSync(folder)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
}

/** `kills 200, lost 0` */
export const figuresText = (figures: Measured['figures']): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toLocaleString('en-US') : value}`)
    .join(', ')

/** The value below which the given share of the values lies; of an unsorted list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

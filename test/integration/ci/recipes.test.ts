import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { aFolder } from '../../support/folder.ts'

const recipes = join(import.meta.dirname, '..', '..', '..', 'examples', 'ci')
const schemas = join(import.meta.dirname, 'schemas')

beforeAll(() => void execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: schemas, stdio: 'pipe' }))

/** The problems that the users of a file would report. */
function problemsOf(kind: string, file: string): string {
  const run = spawnSync(process.execPath, ['problems.mjs', kind, file], { cwd: schemas, encoding: 'utf8' })
  return run.stdout + run.stderr
}

/** Each recipe, and a slip of the pen in it. */
const cases = [
  ['github-actions', 'github-actions.yml', 'runs-on:', 'run-on:'],
  ['github-actions', 'github-actions-exec.yml', 'uses:', 'use:'],
  ['github-actions', 'github-actions-sweep.yml', 'timeout-minutes:', 'timeout-minute:'],
  ['gitlab', 'gitlab-ci.yml', 'alias:', 'alia:'],
  ['gitlab', 'gitlab-ci-sweep.yml', 'reports:', 'report:'],
  ['compose', 'compose.yaml', 'service_healthy', 'healthy'],
  ['kubernetes', 'kubernetes/job.yaml', 'startupProbe:', 'startProbe:'],
  [
    'kubernetes',
    'kubernetes/deployment.yaml',
    'readOnlyRootFilesystem: true',
    'readOnlyRootFilesystem: "yes"',
  ],
] as const

test.each(cases)('%s takes %s, but not with %s written %s', (kind, file, right, wrong) => {
  expect(problemsOf(kind, join(recipes, file))).toBe('')
  const misspelt = join(aFolder(), 'misspelt.yml')
  writeFileSync(misspelt, readFileSync(join(recipes, file), 'utf8').replace(right, wrong))
  expect(problemsOf(kind, misspelt)).not.toBe('')
})

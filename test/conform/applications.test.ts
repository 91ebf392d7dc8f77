import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applicationNames, applicationsFolder, seededBugsOf } from '../../tools/reference-applications.ts'

const bugs = applicationNames.flatMap(seededBugsOf)

test('every seeded bug can still be put into its application', () => {
  // Of patches that are checked together each builds on the one before, so each is checked alone, in one process.
  const checks = bugs.map(({ patch }) => `git apply --check '${patch}' || failed="$failed ${patch}"`)
  const script = [...checks, 'echo "$failed"'].join('\n')
  expect(execFileSync('sh', ['-c', script], { cwd: applicationsFolder, encoding: 'utf8' }).trim()).toBe('')
})

test('every bug is caught by a case, and at most one other may fail', () => {
  const id = /^K(0[1-9]|[123]\d|40)$/
  for (const { name, caughtBy, mayAlsoFail } of bugs) {
    expect(caughtBy, name).toMatch(id)
    if (mayAlsoFail !== null) expect(mayAlsoFail, name).toMatch(id)
    expect(mayAlsoFail, name).not.toBe(caughtBy)
  }
})

test('there are at least nine bugs in each application', () => {
  for (const name of applicationNames) expect(seededBugsOf(name).length, name).toBeGreaterThanOrEqual(9)
})

test('every file of a bug is a patch of its own application', () => {
  for (const { patch, application } of bugs) {
    const touched = [...readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(.*)$/gm)].map((match) => match[1])
    expect(touched, patch).not.toHaveLength(0)
    for (const file of touched) expect(file).toMatch(`test/conform/applications/${application}/`)
  }
})

test('all applications are described by the same configuration, but for how webhooks are signed', () => {
  const texts = applicationNames.map((name) =>
    readFileSync(join(applicationsFolder, name, 'conform.yaml'), 'utf8'),
  )
  const alike = new Set(texts.map((text) => text.replace(/^webhookSignature: .*$/m, '')))
  expect(alike.size).toBe(1)
})

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseStory } from '../../src/conform/stories/parse-story.ts'
import {
  allBugs,
  allStoryBugs,
  applicationNames,
  applicationsFolder,
  bugsOf,
  providerVariants,
  slowVariants,
  storyBugsOf,
} from './matrix/support/references.ts'

const bugs = allBugs()
const storyBugs = allStoryBugs()

test('every patch can still be applied to its application', () => {
  // Patches that are checked together build on each other, so each is checked alone, all from one shell.
  const checks = [...bugs, ...storyBugs, ...slowVariants(), ...providerVariants()].map(
    ({ patch }) => `git apply --check '${patch}' || failed="$failed ${patch}"`,
  )
  const script = [...checks, 'echo "$failed"'].join('\n')
  expect(execFileSync('sh', ['-c', script], { cwd: applicationsFolder, encoding: 'utf8' }).trim()).toBe('')
})

test.each(bugs)('the head of $application/$name says all', ({ patch, caughtBy, mayAlsoFail }) => {
  const id = /^K(0[1-9]|[1-4]\d|5[0-8])$/
  const [head] = readFileSync(patch, 'utf8').split('\n\n')
  expect(head).toMatch(/^Bug: .{10,}\nIn production: .{20,}\nCaught by: K\d\d(\nMay also fail: K\d\d)?$/)
  for (const each of [caughtBy, ...mayAlsoFail]) expect(each).toMatch(id)
  expect(mayAlsoFail).not.toContain(caughtBy)
})

test.each(storyBugs)(
  'the head of $application/stories/$name says all, in the words of stories',
  ({ name, patch, story }) => {
    const [head] = readFileSync(patch, 'utf8').split('\n\n')
    expect(head).toMatch(
      /^Bug: .{10,}\nIn production: .{20,}\nBreaks: [a-z-]+\nStory: \[.{10,}\](\nBeside: \d+)?$/,
    )
    const { promise, acts, beside } = story
    expect(parseStory({ promise, acts, beside })).toMatchObject({ promise, beside })
    expect(story.name).toBe(name)
  },
)

test('explore has at least twelve bugs to find, which break most promises', () => {
  expect(storyBugs.length).toBeGreaterThanOrEqual(12)
  expect(new Set(storyBugs.map(({ story }) => story.promise)).size).toBeGreaterThanOrEqual(6)
})

test.each(applicationNames)('%s has at least nine patches, and they change nothing else', (application) => {
  const variants = [...slowVariants(), ...providerVariants()].filter(
    (each) => each.application === application,
  )
  const all = [...bugsOf(application), ...storyBugsOf(application), ...variants]
  const patches = all.map(({ patch }) => readFileSync(patch, 'utf8'))
  expect(patches.length).toBeGreaterThanOrEqual(9)
  const touched = patches.flatMap((patch) =>
    Array.from(patch.matchAll(/^\+\+\+ b\/(.*)$/gm), ([, file]) => file),
  )
  for (const file of touched) expect(file).toMatch(`test/conform/applications/${application}/`)
})

test('all applications are described alike, but for how webhooks are signed', () => {
  const texts = applicationNames.map((name) =>
    readFileSync(join(applicationsFolder, name, 'conform.yaml'), 'utf8'),
  )
  const alike = new Set(texts.map((text) => text.replace(/^webhookSignature: .*$/m, '')))
  expect(alike.size).toBe(1)
})

test('each of the harder cases catches two bugs', () => {
  const harder = Array.from({ length: 18 }, (_, n) => `K${41 + n}`)
  const fewer = harder.filter((id) => bugs.filter(({ caughtBy }) => caughtBy === id).length < 2)
  expect(fewer).toEqual([])
})

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

const step = z.looseObject({ run: z.string().optional(), uses: z.string().optional() })
const workflow = z.looseObject({ jobs: z.record(z.string(), z.looseObject({ steps: z.array(step) })) })
const read = (name: string) =>
  workflow.parse(parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8'), { version: '1.2' }))
const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8'))

test.each(['ci', 'publish'])(
  'workflow %s runs only what exists, and pins each action to a version',
  (name) => {
    const steps = Object.values(read(name).jobs).flatMap((job) => job.steps)
    for (const { run = '', uses } of steps) {
      for (const [, script = ''] of run.matchAll(/npm (?:run )?(test|[\w-]+:[\w:-]+)/g))
        expect(scripts).toHaveProperty([script])
      for (const [file] of run.matchAll(/^\.\S+/gm)) expect(existsSync(file)).toBe(true)
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/)
    }
  },
)

test('CI tries the oldest Node that the package allows, and two newer ones, on three systems', () => {
  const { test: job } = read('ci').jobs
  expect(job).toMatchObject({
    strategy: {
      matrix: { os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [22, 24, 26] },
    },
  })
  expect(engines.node).toMatch(/^>=22\./)
})

test('only the jobs that publish may ask for an identity token', () => {
  const allowed = Object.entries(read('publish').jobs).filter(([, job]) =>
    JSON.stringify(job.permissions ?? {}).includes('id-token'),
  )
  expect(allowed.map(([name]) => name)).toEqual(['npm', 'image'])
})

import { beforeAll, describe, test } from 'vitest'
import { sweptExamples } from '../../../tools/docs/examples.ts'
import { followed } from '../../docs/following.ts'
import { installed } from '../languages/programs.ts'
import { runWell } from '../support/run.ts'

const tools = { python: 'python3', go: 'go' } as const

describe.each(sweptExamples)('the %s example', (name) => {
  const tool = tools[name]
  const isHere = process.env.CI !== undefined || installed(tool)
  if (!isHere) console.warn(`The ${name} example is skipped, because ${tool} is not installed`)

  const env: Record<string, string> = {}
  beforeAll(async () => {
    if (name !== 'go' || !isHere) return
    // Newer Go compiles its whole library the first time.
    await runWell('go', ['build', 'net/http', 'testing'])
    env.GOCACHE = (await runWell('go', ['env', 'GOCACHE'])).trim()
  })

  test.runIf(isHere)('passes its tests, survives, and is broken by its bug, as its README says', () =>
    followed(`examples/${name}/README.md`, { files: `examples/${name}`, env }),
  )
})

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import type { Finding } from '../../../src/learn/elimination/finding.ts'
import { type Learned, learnFrom } from '../../../src/learn/learn.ts'
import { readCaptures } from '../../../src/learn/read-captures.ts'
import { sameMeaning } from './same-value.ts'

const truthsSchema = z.strictObject({
  captures: z.array(z.string()),
  secrets: z.strictObject({ apiSecret: z.string().optional(), webhookSecret: z.string().optional() }),
  known: z.record(z.string(), z.unknown()),
  alsoTrue: z.record(z.string(), z.unknown()),
  unexplained: z.array(z.string()),
})

const pathOf = (name: string) => fileURLToPath(new URL(`invented/${name}`, import.meta.url))

describe.each(['brightwater', 'corvid', 'dunmore'])(
  'the captures of %s, which no emulator made',
  (account) => {
    const truths = truthsSchema.parse(parse(readFileSync(pathOf(`${account}.yaml`), 'utf8')))
    let learned: Learned = { findings: [], unexplained: [] }

    beforeAll(async () => {
      const { apiSecret = null, webhookSecret = null } = truths.secrets
      const paths = truths.captures.map(pathOf)
      const { evidence } = await readCaptures(paths, { secrets: { apiSecret, webhookSecret } })
      learned = learnFrom(evidence)
    })

    test('are learned as far as they show something', () => {
      const findings = new Map<string, Finding>(learned.findings.map((each) => [each.setting, each]))
      const missing = Object.entries(truths.known).flatMap(([name, value]) => {
        const finding = findings.get(name)
        if (finding?.state === 'known' && sameMeaning(finding.setting, finding.value, value)) return []
        return `${name} is ${JSON.stringify(value)}, but ${finding?.state ?? 'no rule'}: ${finding?.evidence ?? ''}`
      })
      expect(missing, missing.join('\n')).toEqual([])
    })

    test('lead to nothing that is wrong', () => {
      const said = learned.findings.filter(({ state }) => state === 'known' || state === 'likely')
      const all: Readonly<Record<string, unknown>> = { ...truths.known, ...truths.alsoTrue }
      const wrong = said.flatMap(({ setting, state, value, evidence }) =>
        Object.hasOwn(all, setting) && sameMeaning(setting, value, all[setting])
          ? []
          : `${setting}: ${JSON.stringify(value)} (${state}: ${evidence})`,
      )
      expect(wrong, wrong.join('\n')).toEqual([])
    })

    test('have a list of what no setting can say', () => {
      const lines = learned.unexplained.map(({ what, example }) => `${what}: ${example}`)
      const missing = truths.unexplained.filter(
        (pattern) => !lines.some((line) => new RegExp(pattern).test(line)),
      )
      expect(missing, `not listed: ${missing.join(', ')}; listed:\n${lines.join('\n')}`).toEqual([])
    })
  },
)

import { expect, test } from 'vitest'
import { provenanceOf } from '../../src/domain/choices/learned.ts'
import { readSettingsFile } from '../../src/domain/choices/read-settings.ts'
import type { SettingName } from '../../src/domain/choices/settings.ts'
import type { Finding } from '../../src/learn/elimination/finding.ts'
import { buildEvidence } from '../../src/learn/evidence/build-evidence.ts'
import { Masker } from '../../src/learn/mask.ts'
import { overlayOf, settingsFile, withoutUnusable } from '../../src/learn/settings-file.ts'

const masker = new Masker(buildEvidence([], { apiSecret: null, webhookSecret: null }).evidence)

const finding = (setting: SettingName, value: unknown, state: Finding['state'] = 'known'): Finding => ({
  ...{ setting, state, value, observations: 3, evidence: `seen for ada@shop.example: ${setting}` },
  ...{ excluded: [], left: [value], decide: state === 'known' ? null : 'a second call' },
})

const written = (...findings: readonly Finding[]) =>
  settingsFile(
    { learned: { findings, unexplained: [] }, on: '2026-11-29', from: ['/home/ada/capture.har'] },
    masker,
  )

function read(text: string) {
  const file = readSettingsFile(text, 'a.yaml')
  if ('problems' in file) throw new Error(JSON.stringify(file.problems))
  return file
}

test('known settings are set, likely ones are comments, unknown ones have their reason', () => {
  const text = written(
    finding('orders.expiry', '20m'),
    finding('webhook.gone', 'retry', 'likely'),
    finding('webhook.on', undefined, 'unknown'),
  )
  const { overlay, learned } = read(text)
  expect(overlay).toEqual({ 'orders.expiry': '20m' })
  expect(text).toMatch(/^# webhook\.gone: retry$/m)
  expect(learned).toMatchObject({
    on: '2026-11-29',
    settings: { 'orders.expiry': { value: '20m', observations: 3 } },
    unknown: { 'webhook.on': expect.stringMatching(/; it would take a second call$/) },
  })
})

test('a setting that is nothing stands under learned alone, and counts as learned while it has its default', () => {
  const { overlay, learned = null } = read(written(finding('orders.tokens', null)))
  expect(overlay).toEqual({})
  expect(provenanceOf('orders.tokens', undefined, learned).source).toBe('learned')
  expect(provenanceOf('orders.tokens', 'tok_${hex:32}', learned).source).toBe('set')
  expect(provenanceOf('orders.ids', undefined, learned).source).toBe('shipped')
})

test('values that conflict with others, or that the schema refuses, are left out', () => {
  const findings = [
    finding('webhook.format', 'template'),
    finding('webhook.retry.schedule', ['1m']),
    finding('webhook.retry.max', 3),
    finding('webhook.timeout', '2h'),
  ]
  const settings = overlayOf({ findings, unexplained: [] }, masker)
  expect(settings).toEqual({ 'webhook.retry.schedule': ['1m'] })
  expect(read(written(...findings)).overlay).toEqual(settings)
})

test('long evidence and long lists are cut to what the file may have', () => {
  const unknown = { ...finding('webhook.on', undefined, 'unknown'), evidence: 'x'.repeat(3000) }
  const text = settingsFile(
    {
      learned: {
        findings: [{ ...finding('orders.expiry', '20m'), evidence: 'y'.repeat(3000) }, unknown],
        unexplained: Array.from({ length: 10_001 }, (_, index) => ({
          ...{
            what: `field ${index} ${'z'.repeat(index === 0 ? 3000 : 1)}`,
            count: 1,
            of: null,
            example: '',
          },
          source: { file: 'a', place: 'line 1' },
        })),
      },
      on: '2026-11-29',
      from: Array.from({ length: 1001 }, (_, index) => `${'f'.repeat(1000)}${index}`),
    },
    masker,
  )
  expect(read(text).overlay).toEqual({ 'orders.expiry': '20m' })
})

test('people are masked in values and in evidence, and the words of a value stay', () => {
  const recipe = { header: 'x-signature', secret: 'webhook-secret' }
  const text = written(finding('responses.partner', 'ada@shop.example'), finding('webhook.signature', recipe))
  expect(text).not.toContain('ada@shop.example')
  expect(read(text).overlay['webhook.signature']).toEqual(recipe)
})

test('a value that is unusable once its secret is masked is unknown, and the file says why', () => {
  const key = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
  const findings = [
    finding('webhook.headers', { 'x-key': key, 'x-app': 'shop' }),
    finding('orders.expiry', '20m'),
    finding('webhook.timeout', '2h'),
  ]
  const learned = { findings, unexplained: [] }
  expect(overlayOf(learned, masker)).toEqual({ 'orders.expiry': '20m' })
  const [headers, ...others] = withoutUnusable(learned, masker).findings
  expect(headers).toMatchObject({
    state: 'unknown',
    evidence: expect.stringMatching(/set `webhook.headers` by hand/),
  })
  expect(others).toEqual(findings.slice(1))
})

test('a file without learned settings is accepted, and one with unknown names is refused by line', () => {
  expect(read('orders.expiry: 20m\n').learned).toBeUndefined()
  const file = readSettingsFile('learned:\n  on: 2026-11-29\n  settings:\n    orders.expir: {}\n', 'a.yaml')
  expect(JSON.stringify(file)).toMatch(/orders\.expir.* is no setting/)
})

import { expect, test } from 'vitest'
import { type CaseId, Conformance } from '../../../src/conform/index.ts'
// `startEmulator` loads it late; on a busy machine that would take longer than a test may.
import '../../../src/app/emulator.ts'
import { ModelShop, shops } from '../support/model-shop.ts'

/** Of these a model shop shows K01 alone. */
const onlyOneSeen: CaseId[] = ['K01', 'K04', 'K05']

async function reportOf(only: readonly CaseId[], requireSeen?: number) {
  const { emulator, open } = await shops()
  const { config } = await open(ModelShop)
  return new Conformance(emulator, config, { only, requireSeen }).run()
}

test('a run that saw nothing saw too little, and is not ok', async () => {
  expect(await reportOf(['K04'])).toMatchObject({ ok: false, sawTooLittle: true, problems: [] })
})

test.each([
  [undefined, false],
  [33, false],
  [33.4, true],
  [100, true],
])(
  'of three cases one was seen, and %s percent are required: too little: %s',
  async (percent, sawTooLittle) => {
    expect(await reportOf(onlyOneSeen, percent)).toMatchObject({ ok: !sawTooLittle, sawTooLittle })
  },
)

test('a run that requires nothing may see nothing', async () => {
  expect(await reportOf(['K04'], 0)).toMatchObject({ ok: true, sawTooLittle: false })
})

test.each([-1, 101, Number.NaN])('%s percent cannot be required', async (percent) => {
  await expect(reportOf(['K01'], percent)).rejects.toThrow(/requireSeen: expected a percentage/)
})

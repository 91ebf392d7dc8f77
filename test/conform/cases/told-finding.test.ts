import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportedFinding } from '../../../src/conform/index.ts'
import { resultOf, shops } from '../support/model-shop.ts'
import { Generous } from '../support/wrong-shops.ts'

let finding: ReportedFinding | null
beforeAll(async () => {
  const world = await shops(afterAll)
  finding = resultOf(await world.run(await world.open(Generous), ['K08']), 'K08').finding
})

test('what everybody did stands in the time line, in order', () => {
  const lines = finding?.timeline.map(({ who, what }) => `${who} ${what}`) ?? []
  const places = [
    /^conform asks the application to create a checkout order/,
    /^call POST \/v1\/client\/checkout\/create-order: answered 200$/,
    /^service created: CREATED$/,
    /^conform advances the clock by/,
    /^service order CREATED → COMPLETED$/,
    /^webhook COMPLETED: answered 204/,
    /^conform asks the application for the order: it said "COMPLETED" with 1 fulfilment$/,
    /^webhook COMPLETED, attempt 2: answered 204/,
    /^conform asks the application for the order: it said "COMPLETED" with 2 fulfilments$/,
  ].map((line) => lines.findIndex((each) => line.test(each)))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('the webhook that shows it is told byte for byte', () => {
  expect(finding?.sent).toMatchObject({ attempt: 2, status: 204 })
  expect(JSON.parse(finding?.sent?.body ?? '')).toMatchObject({ orderStatus: 'COMPLETED' })
})

test('what has no port cannot be asked by a curl', () => {
  expect(finding).toMatchObject({ curl: null, resend: null })
})

test('the run is repeated by the call that a program makes', () => {
  expect(finding?.repeat).toMatch(/^conform\(emulator, config, \{"only":\["K08"\],"seed":"a test"\}\)$/)
})

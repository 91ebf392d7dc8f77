import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Does something to what the customer has typed, before it goes to the service. */
function mangling(mangle: (text: string) => string) {
  return class extends ModelShop {
    override create(requestId: string, text: string) {
      return super.create(requestId, mangle(text))
    }
  }
}

test('passes an application that passes on what was typed', async () => {
  const report = await world.run(await world.open(ModelShop), ['K27'])
  expect(resultOf(report, 'K27')).toMatchObject({ verdict: 'PASS', note: null })
})

test('passes one that packs the text into JSON of its own', async () => {
  const Packing = mangling((text) => JSON.stringify({ lines: [{ text: `Note: ${text}.` }] }))
  const report = await world.run(await world.open(Packing), ['K27'])
  expect(resultOf(report, 'K27')).toMatchObject({ verdict: 'PASS', note: null })
})

test.each([
  ['cuts texts to what fits', (text: string) => text.slice(0, 30)],
  ['cuts them with dots', (text: string) => `For you: ${text.length > 30 ? `${text.slice(0, 29)}…` : text}`],
  ['makes an address of them', (text: string) => `http://shop.test/?note=${encodeURIComponent(text)}`],
  ['makes a name of them', (text: string) => text.replaceAll(/\W+/g, '-')],
])('passes one that %s', async (_, mangle) => {
  const Cutting = mangling(mangle)
  const report = await world.run(await world.open(Cutting), ['K27'])
  expect(resultOf(report, 'K27').verdict).toBe('PASS')
})

test('passes one that keeps the text to itself, and says that it was not seen', async () => {
  const Discreet = mangling(() => 'a mug')
  const report = await world.run(await world.open(Discreet), ['K27'])
  expect(resultOf(report, 'K27')).toMatchObject({
    verdict: 'PASS',
    note: expect.stringContaining('No create call'),
  })
})

test.each([
  ['escapes HTML', (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')],
  ['doubles quotes', (text: string) => text.replaceAll("'", "''")],
  ['takes line breaks out', (text: string) => text.replaceAll('\n', ' ')],
  ['keeps ASCII only', (text: string) => text.replaceAll(/[^ -~\n\t]/g, '?')],
  ['fills in templates', (text: string) => text.replaceAll('{{7*7}}', '49')],
])('warns of one that %s', async (_, mangle) => {
  const report = await world.run(await world.open(mangling(mangle)), ['K01', 'K27'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K27')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'altered', sent: null, did: expect.stringContaining('A customer typed') },
  })
})

test('warns of one that falls over a text', async () => {
  class Falling extends ModelShop {
    override async buy(given: { text: string }) {
      if (given.text.includes("'")) throw new Error('syntax error at or near "Neil"')
      return super.buy(given)
    }
  }
  const report = await world.run(await world.open(Falling), ['K27'])
  expect(resultOf(report, 'K27')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'crashed', did: expect.stringContaining('syntax error') },
  })
})

test('says nothing of one that makes no orders whatever is typed', async () => {
  class Closed extends ModelShop {
    #open = 6
    override async buy(given: { text: string }) {
      this.#open -= 1
      if (this.#open < 0) throw new Error('closed')
      return super.buy(given)
    }
  }
  const shop = await world.open(Closed)
  await world.run(shop, ['K01'])
  await shop.buy({ text: 'the last' }).catch(() => undefined)
  const report = await world.run(shop, ['K27'])
  expect(report.cases.filter(({ finding }) => finding !== null)).toEqual([])
})

test('warns of one that cannot store why an order has failed', async () => {
  class Narrow extends ModelShop {
    override async settle(requestId: string) {
      const [record] = (await this.lookUp(requestId)) ?? []
      if (JSON.stringify(record).includes('DROP TABLE')) return false
      return super.settle(requestId)
    }
  }
  const report = await world.run(await world.open(Narrow), ['K02', 'K27'])
  expect(resultOf(report, 'K02').verdict).toBe('PASS')
  expect(resultOf(report, 'K27')).toMatchObject({ verdict: 'WARN', finding: { defect: 'wrong-status' } })
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K27'], { probe: undefined })
  expect(resultOf(report, 'K27').verdict).toBe('NOT-SEEN')
})

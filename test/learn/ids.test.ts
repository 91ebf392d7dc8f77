import { describe, expect, test } from 'vitest'
import { formedId, orderIdForm } from '../../src/domain/order/id-forms.ts'
import { fits, type IdSample } from '../../src/learn/answers/id-forms.ts'
import { inferForms } from '../../src/learn/answers/infer-id-form.ts'
import { ids } from '../../src/learn/rules/answers/ids.ts'
import { changed, cut, evidenceOf, failing, learned, openShop, startTime } from './answers-exchanges.ts'

const dayMs = 86_400_000

/** Ids of a form, created by the emulator's own function. */
function samplesOf(form: string, count: number, apartMs = 61_000): IdSample[] {
  return Array.from({ length: count }, (_, n) => {
    const nowMs = Date.parse(startTime) + n * apartMs
    const requestId = `r${n}`
    const text = formedId(form, {
      seed: 's',
      use: 'orderId',
      clientId: 'c',
      requestId,
      charge: 1,
      nowMs,
      draw: 0,
    })
    return { text, from: nowMs, to: nowMs + 20, charge: 'first' }
  })
}

const isAccepted = (form: string) => orderIdForm.safeParse(form).success

describe('the form of ids', () => {
  test.each([
    'PO-${createdAt:yyyymmdd}-${digits:6}',
    'P${createdAt:yymmdd}${digits:8}',
    'ord_${hex:24}',
    '${hex:32}',
    '${hex:32:upper}',
    'tok_${base62:24}',
    '${base62:40:lower}',
    '${base62:40:upper}-x',
    '${ulid}',
    'r.${ulid:lower}',
    '${createdAt:seconds}.${digits:7}',
    '${createdAt:milliseconds}${digits:7}',
    '${digits:8}-${hex:4}',
    '${digits:4}-${digits:8}',
  ])('%s is inferred from ten', (form) => {
    expect(inferForms(samplesOf(form, 10), isAccepted).forms).toEqual([form])
  })

  test.each(['PO-${createdAt:yyyymmdd}-${digits:6}', 'ord_${hex:24}', '${hex:32}'])(
    'three of %s are too few',
    (form) => {
      expect(inferForms(samplesOf(form, 3), isAccepted).forms).toEqual([])
    },
  )

  test('a random form never leads to another one, however many ids there are', () => {
    const parts = [
      ...[
        'PO',
        '-',
        '_',
        '1',
        'v2_',
        '2026',
        '${charge}',
        '${ulid}',
        '${ulid:lower}',
        '${digits:6}',
        '${digits:12}',
      ],
      ...['${hex:4}', '${hex:8}', '${hex:12:upper}', '${base62:4}', '${base62:24}', '${base62:16:lower}'],
      ...[
        '${createdAt:yyyymmdd}',
        '${createdAt:yymmdd}',
        '${createdAt:seconds}',
        '${createdAt:milliseconds}',
      ],
    ]
    const triples = parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => a + b + c)))
    const forms = triples.filter((form, index) => index % 7 === 0 && isAccepted(form))
    for (const [index, form] of forms.entries()) {
      const { forms: found } = inferForms(samplesOf(form, 2 + (index % 12)), isAccepted)
      if (found.length > 0) expect(found).toContain(form)
    }
  })

  test('a 1 on its own may be the number of the charge, until a later charge shows it', () => {
    const samples = samplesOf('PO-${digits:7}-${charge}', 10)
    const [one] = samples
    expect(inferForms(samples, isAccepted).forms.toSorted()).toEqual([
      'PO-${digits:7}-${charge}',
      'PO-${digits:7}-1',
    ])
    const later = { text: `${one?.text.slice(0, -1)}2`, from: 0, to: 1, charge: 'later' as const }
    expect(inferForms([...samples, later], isAccepted).forms).toEqual(['PO-${digits:7}-${charge}'])
  })

  test('a date by another clock, a counter and groups that do not repeat are left open', () => {
    const shifted = samplesOf('PO-${createdAt:yyyymmdd}-${digits:6}', 10).map((sample) => ({
      ...sample,
      from: sample.from + 90 * dayMs,
      to: sample.to + 90 * dayMs,
    }))
    expect(inferForms(shifted, isAccepted)).toMatchObject({
      forms: [],
      problem: expect.stringContaining('a date'),
    })
    const written = (text: (n: number) => string) =>
      inferForms(
        samplesOf('x', 10).map((sample, n) => ({ ...sample, text: text(n) })),
        isAccepted,
      ).forms
    expect(written((n) => `PO-${1_234_567 + n * 917}`)).toEqual([])
    expect(written((n) => `${((n * 7919 + 1234) % 9000) + 1000}-${((n * 104_729) % 9000) + 1000}`)).toEqual(
      [],
    )
    expect(written((n) => 'x'.repeat(n + 1))).toEqual([])
  })

  test('a form fits the ids that it makes, and no others', () => {
    for (const form of [
      'PO-${createdAt:yyyymmdd}-${digits:6}',
      '${ulid}',
      '${hex:4:upper}-${hex:30}',
      'a.b${charge:3}${hex:9}',
    ])
      for (const sample of samplesOf(form, 20, dayMs)) {
        expect(fits(form, sample)).toBe(true)
        expect(fits(form, { ...sample, text: `${sample.text}0` })).toBe(false)
        expect(fits('PO-${hex:24}', sample)).toBe(false)
      }
  })
})

/** Orders and refunds under some settings. */
async function traffic(settings: object, count = 10) {
  const shop = await openShop({ ...settings })
  for (let n = 0; n < count; n++) {
    const requestId = await shop.create({}, 'refund-initiated')
    await shop.client.clock.advance('2m')
    await shop.lookUpAll(requestId)
  }
  return shop
}

const settings = ['orders.ids', 'orders.tokens', 'orders.refundIds'] as const
const forms = {
  'orders.ids': 'ord_${hex:24}',
  'orders.tokens': '${base62:32}',
  'orders.refundIds': 'RF-${createdAt:yyyymmdd}-${digits:8}',
}

describe('ids in the traffic of an emulator', () => {
  test('UUIDs are recognised after two', async () => {
    const { exchanges } = await traffic({}, 2)
    for (const setting of settings)
      expect(learned(ids, setting, evidenceOf(exchanges))).toMatchObject({ state: 'known', value: null })
    expect(learned(ids, 'orders.orderIdEqualsToken', evidenceOf(exchanges))).toMatchObject({
      state: 'known',
      value: false,
    })
  })

  test('other forms are recognised after ten, and contradict a claim of UUIDs', async () => {
    const { exchanges } = await traffic(forms)
    for (const setting of settings) {
      const evidence = evidenceOf(exchanges)
      expect(learned(ids, setting, evidence)).toMatchObject({
        state: 'known',
        value: forms[setting],
        observations: 10,
      })
      expect(learned(ids, setting, evidence, { claims: { [setting]: null } }).claim).toMatchObject({
        holds: false,
      })
      expect(learned(ids, setting, evidence, { claims: { [setting]: forms[setting] } }).claim).toEqual({
        holds: true,
      })
    }
  })

  test('orderIds that are the tokens have no form of their own', async () => {
    const { exchanges } = await traffic({ 'orders.orderIdEqualsToken': true }, 2)
    expect(learned(ids, 'orders.orderIdEqualsToken', evidenceOf(exchanges))).toMatchObject({
      state: 'known',
      value: true,
    })
    expect(learned(ids, 'orders.ids', evidenceOf(exchanges)).state).toBe('unknown')
    expect(learned(ids, 'orders.tokens', evidenceOf(exchanges))).toMatchObject({
      state: 'known',
      value: null,
    })
  })

  test('the charges of a subscription decide about a 1', async () => {
    const shop = await openShop({ 'orders.ids': 'PO-${charge}-${digits:9}' })
    for (let n = 0; n < 9; n++) await shop.lookUp('orders', await shop.create())
    const open = learned(ids, 'orders.ids', evidenceOf(shop.exchanges))
    expect(open).toMatchObject({ state: 'unknown', left: expect.arrayContaining(['PO-1-${digits:9}']) })
    const subscription = await shop.create({ interval: 'MONTHLY' })
    await shop.client.clock.advance('P2M')
    await shop.lookUp('orders', subscription)
    expect(learned(ids, 'orders.ids', evidenceOf(shop.exchanges))).toMatchObject({
      state: 'known',
      value: 'PO-${charge}-${digits:9}',
    })
  })

  test('cut, failed and foreign answers say nothing', async () => {
    const { exchanges } = await traffic(forms, 3)
    const foreign = changed(exchanges, (answer) => ({
      ...answer,
      requestId: 'another',
      data: [{ requestId: 'another' }],
    }))
    for (const bad of [cut(exchanges), failing(exchanges, 500), foreign])
      for (const setting of ids.settings)
        expect(learned(ids, setting, evidenceOf(bad))).toMatchObject({ state: 'unknown', observations: 0 })
  })

  test('UUIDs of another version are not said to be those of the emulator', async () => {
    const { exchanges } = await traffic({}, 10)
    const other = changed(exchanges, (answer) => ({
      ...answer,
      ...(Array.isArray(answer.data) && {
        data: answer.data.map((one) => ({
          ...one,
          orderId: `${String(one.orderId).slice(0, 14)}4${String(one.orderId).slice(15)}`,
        })),
      }),
    }))
    expect(learned(ids, 'orders.ids', evidenceOf(other))).toMatchObject({ state: 'unknown', left: [] })
  })
})

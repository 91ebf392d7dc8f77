import { expect, test } from 'vitest'
import type { AnswerRule } from '../../../src/domain/scenario/scenario.ts'
import type { CountedCall } from '../../../src/store/store.ts'
import { aBinding, aCountedCall, aRule, several, shop } from '../factories.ts'
import { another, type Given, generationOf, refused } from './given.ts'

export function answerCountsConform(given: Given): void {
  /** Counts a call, in the world of now. */
  const count = async (rules: readonly AnswerRule[], members: Partial<CountedCall> = {}) => {
    const call = aCountedCall(rules, members)
    return given.store.countAnswer({ ...call, generation: await generationOf(given.store, call.clientId) })
  }

  /** Which rules answered some calls, one after the other. */
  async function answering(rules: readonly AnswerRule[], ...calls: readonly Partial<CountedCall>[]) {
    const names: (string | null)[] = []
    for (const members of calls) {
      const answer = await count(rules, members)
      names.push(answer === null ? null : `${answer.rule.name}:${answer.calls}`)
    }
    return names
  }

  test.each<[string, AnswerRule[], (string | null)[]]>([
    ['a rule without `times` answers every call', [aRule()], ['0:1', '0:2', '0:3']],
    ['a rule answers as often as it says', [aRule({ times: 2 })], ['0:1', '0:2', null]],
    ['calls that are let pass count', [aRule({ skip: 1, times: 1 })], [null, '0:2', null]],
    [
      'what one rule is through with, the next one answers',
      [aRule({ times: 1 }), aRule({ times: 1 })],
      ['0:1', '1:1', null],
    ],
    [
      'a rule behind one that answers counts nothing',
      [aRule({ times: 1 }), aRule({ skip: 1 })],
      ['0:1', null, '1:2'],
    ],
    [
      'a rule that lets a call pass leaves it to the next',
      [aRule({ skip: 2 }), aRule({ times: 1 })],
      ['1:1', null, '0:3'],
    ],
  ])('%s', async (_, rules, expected) => {
    expect(await answering(rules, ...several(3, () => ({})))).toEqual(expected)
  })

  test('a rule holds as long as it says from the first call that it fits', async () => {
    const at = [5_000, 6_999, 7_000, 7_001].map((moment) => ({ at: moment }))
    expect(await answering([aRule({ forMs: 2_000 })], ...at)).toEqual(['0:1', '0:2', null, null])
  })

  test('each client, scenario and requestId counts for itself', async () => {
    const { clientId } = await another(given.store)
    const others = [{}, { requestId: 'r2' }, { scenarioId: 'other' }, { clientId }, {}]
    expect(await answering([aRule({ times: 1 })], ...others)).toEqual(['0:1', '0:1', '0:1', '0:1', null])
  })

  test('of many calls at once exactly as many are answered as the rule says', async () => {
    const answers = await Promise.all(several(20, () => count([aRule({ times: 3 })])))
    const counted = answers.flatMap((answer) => (answer === null ? [] : [answer.calls]))
    expect(counted.toSorted()).toEqual([1, 2, 3])
  })

  test('a reset forgets the counts', async () => {
    await answering([aRule({ times: 1 })], {})
    await given.store.reset({ clientId: shop, clients: false })
    expect(await answering([aRule({ times: 1 })], {})).toEqual(['0:1'])
  })

  test('a rule that answers keeps the planned scenario for its requestId', async () => {
    const { store } = given
    const planned = aBinding({ remaining: 2 })
    const pinned = { ...planned, id: 'pinned', clientId: shop, requestId: 'r', remaining: 1 }
    await store.addBinding(planned)
    await count([aRule()], { pins: { from: planned.id, pinned } })
    expect(await store.bindingFor(shop, 'r')).toEqual(pinned)
    expect(await store.bindingFor(shop, 'other')).toEqual({ ...planned, remaining: 1 })
  })

  test('of two calls of one requestId at once, one keeps the planned scenario and the other chooses again', async () => {
    const { store } = given
    const planned = aBinding({ remaining: 2 })
    const pinned = { ...planned, id: 'pinned', clientId: shop, requestId: 'r', remaining: 1 }
    await store.addBinding(planned)
    const pins = { from: planned.id, pinned }
    const first = count([aRule()], { pins })
    await refused(count([aRule()], { pins }), 'binding_used')
    expect(await first).toMatchObject({ calls: 1 })
    expect(await store.bindingFor(shop, 'other')).toEqual({ ...planned, remaining: 1 })
  })

  test('a rule that lets a call pass keeps nothing', async () => {
    const planned = aBinding()
    await given.store.addBinding(planned)
    const pinned = { ...planned, id: 'pinned', requestId: 'r' }
    await count([aRule({ skip: 1 })], { pins: { from: planned.id, pinned } })
    expect(await given.store.bindingFor(shop, 'r')).toEqual(planned)
  })

  test('a planned scenario that is used up is refused, and nothing is counted', async () => {
    const pins = { from: 'gone', pinned: aBinding() }
    await refused(count([aRule({ times: 1 })], { pins }), 'binding_used')
    expect(await answering([aRule({ times: 1 })], {})).toEqual(['0:1'])
  })
}

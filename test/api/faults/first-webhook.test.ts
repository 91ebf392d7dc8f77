import { describe, expect, test } from 'vitest'
import { planFault } from '../../support/faults.ts'
import { rawCreate } from '../../support/raw-call.ts'
import { type Given, given, untilHeld } from './given.ts'

/** The events of one create call as the caller and the receiver see them, in order of arrival.
 *  @param isHeld whether the fault lasts until the clock moves */
async function heardOf({ emulator, client, receiver }: Given, isHeld: boolean): Promise<string[]> {
  const heard: string[] = []
  const call = rawCreate(emulator, client, 'r1')
  void call.answered.then(() => heard.push(call.text.slice(9, 12)))
  void call.end().then(({ ending }) => heard.push(ending))
  const arrived = receiver.received(1).then(() => heard.push('webhook'))
  if (isHeld) {
    await untilHeld({ client })
    await client.advance('10m')
  }
  await arrived
  return heard
}

const lasts = (effect: object) => 'delay' in effect || 'hang' in effect

const faults = [
  ['a delay after storing', { when: 'stored', effect: { delay: '3s' } }, ['200', 'webhook']],
  ['a delay before storing', { when: 'before', effect: { delay: '3s' } }, ['200', 'webhook']],
  ['an error after storing', { when: 'stored', effect: { status: 500 } }, ['500', 'webhook']],
  [
    'a late error after storing',
    { when: 'stored', effect: { status: 503, delay: '3s' } },
    ['503', 'webhook'],
  ],
  ['half an answer', { when: 'stored', effect: { cut: true } }, ['200', 'end', 'webhook']],
  ['half an answer, late', { when: 'stored', effect: { cut: true, delay: '3s' } }, ['200', 'end', 'webhook']],
  ['a reset instead of an answer', { when: 'stored', effect: { reset: true } }, ['ECONNRESET', 'webhook']],
  [
    'a late reset instead of an answer',
    { when: 'stored', effect: { reset: true, delay: '3s' } },
    ['ECONNRESET', 'webhook'],
  ],
  ['no answer for a minute', { when: 'stored', effect: { hang: '60s' } }, ['end', 'webhook']],
] as const

describe('the first webhook comes after', () => {
  test.each(faults)('%s, of a scenario', async (_, { when, effect }, expected) => {
    const rule = JSON.stringify({ on: 'create-order', when, effect })
    expect(await heardOf(await given(`[${rule}]`), lasts(effect))).toEqual(expected)
  })

  test.each(faults)('%s, planned at run time', async (_, fault, expected) => {
    const context = await given('[]')
    await planFault(context.emulator, context.client, { on: 'create-order', ...fault })
    expect(await heardOf(context, lasts(fault.effect))).toEqual(expected)
  })

  test('each of 60 answers to calls at once', async () => {
    const { emulator, client, receiver } = await given('[]')
    const requestIds = Array.from({ length: 60 }, (_, n) => `r${n}`)
    const answered = new Set<string>()
    const overtaken: unknown[] = []
    const checks = [...requestIds.keys()].map(async (n) => {
      const { requestId } = (await receiver.received(n + 1))[n]?.json ?? {}
      // Of two sockets that are ready at once either may be read first.
      await new Promise((resolve) => setImmediate(resolve))
      if (!answered.has(String(requestId))) overtaken.push(requestId)
    })
    const calls = requestIds.map(async (requestId) => {
      await rawCreate(emulator, client, requestId).answered
      answered.add(requestId)
    })
    await Promise.all([...calls, ...checks])
    expect(overtaken).toEqual([])
  })
})

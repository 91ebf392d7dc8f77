import { expect, onTestFinished, test } from 'vitest'
import { Waits } from '../../../src/control/watch/waits.ts'
import { anEntry } from '../../store/factories.ts'
import { watchParts } from './parts.ts'

async function someWaits(mostWaits?: number) {
  const parts = await watchParts()
  const waits = new Waits(parts, mostWaits)
  onTestFinished(() => waits.stop())
  const wait = (requestId: string, signal = new AbortController().signal, timeoutMs = 5_000) =>
    waits.wait({ kind: 'request', where: { requestId }, clientId: undefined, timeoutMs, signal })
  return { ...parts, waits, wait }
}

test('a caller that goes away waits no longer', async () => {
  const { wait } = await someWaits(1)
  const caller = new AbortController()
  const waiting = wait('r1', caller.signal)
  await expect(wait('r1')).rejects.toThrow('There are 1 waits already')
  caller.abort()
  expect(await waiting).toBeNull()
  expect(await wait('r1', undefined, 0)).toBeNull()
})

test('a caller that has gone before is not waited for', async () => {
  const { wait } = await someWaits()
  expect(await wait('r1', AbortSignal.abort())).toBeNull()
})

test('what is told is heard by those that it concerns, and by no others', async () => {
  const { wait, journal, waits } = await someWaits()
  const [one, begins, other] = [wait('r1'), wait('r*'), wait('r2')]
  const entry = anEntry({ requestId: 'r1' })
  journal.record(entry)
  expect([await one, await begins]).toEqual([JSON.stringify(entry), JSON.stringify(entry)])
  waits.stop()
  await expect(other).rejects.toThrow('stopping')
})

test('what is there is found though nothing is told', async () => {
  const { wait, journal } = await someWaits()
  journal.record(anEntry({ requestId: 'r1', status: 1 }))
  journal.record(anEntry({ requestId: 'r1', status: 2 }))
  expect(JSON.parse((await wait('r1', undefined, 0)) ?? '')).toMatchObject({ status: 2 })
})

test('many that wait in vain are told the nearest misses', async () => {
  const { waits, journal } = await someWaits()
  for (let status = 1; status <= 9; status += 1) journal.record(anEntry({ requestId: 'r1', status }))
  const looked = { kind: 'request', where: { requestId: 'r1', status: 0 }, clientId: undefined } as const
  const all = await Promise.all(Array.from({ length: 20 }, () => waits.misses(looked)))
  for (const misses of all) {
    expect(misses.map(({ differs }) => differs)).toEqual(
      [9, 8, 7, 6, 5].map((found) => [{ member: 'status', wanted: 0, found }]),
    )
  }
})

import { expect, onTestFinished, test } from 'vitest'
import { Waits } from '../../../src/control/watch/waits.ts'
import type { Store } from '../../../src/store/store.ts'
import { aClient, aDecision, aDelivery, anOrder, aRawEntry, shop } from '../../store/factories.ts'
import { watchParts } from './parts.ts'

async function someWaits(mostWaits?: number) {
  const parts = await watchParts()
  const waits = new Waits(parts, mostWaits)
  onTestFinished(() => waits.stop())
  const wait = async (requestId: string, signal = new AbortController().signal, timeoutMs = 5_000) => {
    const looked = { kind: 'request', where: { requestId }, clientId: undefined } as const
    return (await waits.wait({ ...looked, timeoutMs, signal })).found
  }
  return { ...parts, waits, wait }
}

test('a caller that goes away waits no longer', async () => {
  const { wait } = await someWaits(1)
  const caller = new AbortController()
  const waiting = wait('r1', caller.signal)
  await expect(wait('r1')).rejects.toThrow('There are already 1 waits')
  caller.abort()
  expect(await waiting).toBeNull()
  expect(await wait('r1', undefined, 0)).toBeNull()
})

test('a caller that has gone before is not waited for', async () => {
  const { wait } = await someWaits()
  expect(await wait('r1', AbortSignal.abort())).toBeNull()
})

test('what is told is heard by those that it concerns, and by no others', async () => {
  const { wait, record, waits } = await someWaits()
  const [one, begins, other] = [wait('r1'), wait('r*'), wait('r2')]
  const { rawHeaders, ...entry } = aRawEntry({ requestId: 'r1' })
  record({ ...entry, rawHeaders })
  const found = [await one, await begins].map((text) => JSON.parse(text ?? ''))
  const kept = { ...entry, headers: { 'content-type': 'application/json' } }
  expect(found).toEqual([kept, kept])
  waits.stop()
  await expect(other).rejects.toThrow('shutting down')
})

test('who waits after all waits have been stopped is told so at once, though what it waits for is there', async () => {
  const { wait, record, waits } = await someWaits()
  record(aRawEntry({ requestId: 'r1' }))
  waits.stop()
  await expect(wait('r1')).rejects.toThrow('shutting down')
})

test('what is there is found though nothing is told', async () => {
  const { wait, record } = await someWaits()
  record(aRawEntry({ requestId: 'r1', status: 1 }))
  record(aRawEntry({ requestId: 'r1', status: 2 }))
  expect(JSON.parse((await wait('r1', undefined, 0)) ?? '')).toMatchObject({ status: 2 })
})

test('many that wait in vain are told the nearest misses', async () => {
  const { waits, record } = await someWaits()
  for (let status = 1; status <= 9; status += 1) record(aRawEntry({ requestId: 'r1', status }))
  const where = { requestId: 'r1', status: 0 }
  const { signal } = new AbortController()
  const wanted = { kind: 'request', where, clientId: undefined, timeoutMs: 0, signal } as const
  const all = await Promise.all(Array.from({ length: 20 }, () => waits.wait(wanted)))
  for (const { found, nearest } of all) {
    expect([found, nearest.map(({ differs }) => differs)]).toEqual([
      null,
      [9, 8, 7, 6, 5].map((status) => [{ member: 'status', wanted: 0, found: status }]),
    ])
  }
})

test('a wait that is over does not wait for its first look, and finds what is there after all', async () => {
  const parts = await watchParts()
  const generation = await parts.store.createClient(aClient({ clientId: shop }))
  await parts.store.commit(aDecision(anOrder(), { events: [aDelivery({ requestId: 'r1' })] }), generation)
  const hangs = new Promise<never>(() => {})
  const listDeliveries: Store['listDeliveries'] = (query) =>
    query.requestId === undefined ? parts.store.listDeliveries(query) : hangs
  const waits = new Waits({ ...parts, store: { ...parts.store, listDeliveries } })
  const { signal } = new AbortController()
  const wait = (requestId: string) =>
    waits.wait({ kind: 'delivery', where: { requestId }, clientId: undefined, timeoutMs: 1, signal })
  expect((await wait('r2')).nearest).toMatchObject([{ requestId: 'r1' }])
  expect((await wait('r1')).found).toContain('"requestId":"r1"')
})

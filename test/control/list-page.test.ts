import { expect, test } from 'vitest'
import { listPage } from '../../src/control/paging.ts'
import type { ListQuery } from '../../src/store/store.ts'

/** A list of so many numbers, whose cursors are places. */
const numbers = (count: number) => (asked: number[]) => async (query: ListQuery) => {
  const start = Number(query.cursor ?? 0)
  const end = Math.min(count, start + query.limit)
  asked.push(query.limit)
  return {
    items: Array.from({ length: end - start }, (_, place) => start + place),
    next: end < count ? String(end) : null,
  }
}

/** @param size characters that each thing takes */
async function page(count: number, query: ListQuery, size = 1) {
  const asked: number[] = []
  const present = async (items: readonly number[]) => items.map((item) => `${item}`.padStart(size, ' '))
  const text = await listPage(query, numbers(count)(asked), present)
  return { ...JSON.parse(text), asked }
}

test('a page of large things ends early and says how to go on', async () => {
  const { items, next } = await page(500, { limit: 300 }, 100_000)
  expect([items.length, next]).toEqual([60, '60'])
  expect((await page(500, { limit: 300, cursor: next }, 100_000)).items[0]).toBe(60)
})

test('a page of small things has as many as are asked for', async () => {
  expect(await page(500, { limit: 50 })).toMatchObject({ next: '50', asked: [20, 20, 10] })
  expect(await page(30, { limit: 50 })).toMatchObject({ next: null, asked: [20, 20] })
  expect(await page(0, { limit: 120 })).toMatchObject({ items: [], next: null })
})

test('a page is filled from parts of the list in which little is found', async () => {
  const present = async (items: readonly number[]) => items.map(String)
  const rarely = async ({ cursor = '0', limit }: ListQuery) => {
    const start = Number(cursor)
    const items = start % 3 === 0 ? [start] : []
    expect(limit).toBeGreaterThan(0)
    return { items, next: start < 9 ? String(start + 1) : null }
  }
  const read = async (query: ListQuery) => JSON.parse(await listPage(query, rarely, present))
  expect(await read({ limit: 3 })).toEqual({ items: [0, 3, 6], next: '7' })
  expect(await read({ limit: 3, cursor: '7' })).toEqual({ items: [9], next: null })
})

test('one thing that is larger than a page comes alone all the same', async () => {
  expect(await page(2, { limit: 1 }, 9_000_000)).toMatchObject({ items: [0], next: '1' })
})

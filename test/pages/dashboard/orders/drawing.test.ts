import { expect, test } from 'vitest'
import type { Leg } from '../../../../src/pages/dashboard/orders/timeline-drawing.ts'
import {
  type Drawing,
  drawingOf,
  smallDrawingOf,
} from '../../../../src/pages/dashboard/orders/timeline-drawing.ts'
import type { TimelineEvent } from '../../../../src/pages/dashboard/orders/timeline-events.ts'

const event = (id: string, at: number | null, changes: Partial<TimelineEvent> = {}): TimelineEvent => ({
  ...{ id, at, lane: 'step', done: true, tone: 'good', label: id, words: id },
  ...changes,
})
const attempt = (deliveryId: string, at: number, changes: Partial<TimelineEvent> = {}) =>
  event(`${deliveryId}-${at}`, at, { lane: 'webhook', deliveryId, label: deliveryId, ...changes })

const leg: Leg = {
  name: 'Order',
  statuses: [
    { at: 0, status: 'CREATED', tone: 'waiting' },
    { at: 5_000, status: 'COMPLETED', tone: 'good' },
  ],
}
const rowNames = ({ rows }: Drawing) => rows.map(({ name }) => name)

test('there is a row only for what there is', () => {
  expect(rowNames(drawingOf([event('created', 0)], [leg], 6_000))).toEqual(['Order', 'Steps'])
})

test('the bar of a leg changes where its status does and ends now', () => {
  const drawing = drawingOf([event('expiry', 9_000, { done: false })], [leg], 7_000)
  const [first, second] = drawing.rows[0]?.segments ?? []
  expect([first?.title, second?.title]).toEqual(['Order CREATED', 'Order COMPLETED'])
  expect((first?.x ?? 0) + (first?.width ?? 0)).toBeCloseTo(second?.x ?? 0)
  expect((second?.x ?? 0) + (second?.width ?? 0)).toBeCloseTo(drawing.now)
  expect(drawing.now).toBeLessThan(drawing.end)
})

test('a status of this very moment is still to be seen, and is named beside its bar', () => {
  const [first] =
    drawingOf([], [{ name: 'Order', statuses: leg.statuses.slice(0, 1) }], 0).rows[0]?.segments ?? []
  expect(first?.width).toBeGreaterThan(5)
  expect(first?.label).toBe('CREATED')
  expect(first?.labelX).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0))
})

test('deliveries share a line as long as they do not overlap', () => {
  const apart = [attempt('a', 0), attempt('a', 1_000), attempt('b', 2_000)]
  expect(rowNames(drawingOf(apart, [], 3_000))).toEqual(['Webhooks'])
  const overlapping = [attempt('a', 0), attempt('b', 1_000), attempt('a', 2_000), attempt('c', 3_000)]
  expect(rowNames(drawingOf(overlapping, [], 3_000))).toEqual(['Webhooks', ''])
})

test('a thread holds the attempts of one delivery together, dashed to the one that is to come', () => {
  const story = [attempt('a', 0), attempt('a', 1_000), attempt('a', 3_000, { done: false }), attempt('b', 0)]
  const threads = drawingOf(story, [], 2_000).rows.flatMap((row) => row.threads)
  expect(threads.map(({ done }) => done)).toEqual([true, false])
})

test('of several things at one place the worst shows, all are told, and they are counted', () => {
  const story = [event('good', 0), event('bad', 0, { tone: 'bad', count: 3 })]
  const [mark] = drawingOf(story, [], 1_000).rows[0]?.marks ?? []
  expect(mark).toMatchObject({ tone: 'bad', count: 4, events: story })
})

test('labels never lie on one another', () => {
  const story = Array.from({ length: 60 }, (_, index) => event(`a long name ${index}`, index * 500))
  const drawing = drawingOf(story, [leg], 1_000)
  const labelled = drawing.rows.flatMap(({ marks }) => marks.filter(({ label }) => label !== null))
  expect(labelled.length).toBeGreaterThan(3)
  const gaps = labelled.slice(1).map(({ x }, index) => x - (labelled[index]?.x ?? 0))
  // 13 characters or more of seven pixels.
  expect(Math.min(...gaps)).toBeGreaterThan(90)
})

test('moments are dated where a day begins, and what nobody can date stands under: open', () => {
  const at = (iso: string) => Date.parse(`2026-04-${iso}Z`)
  const story = [
    event('first', at('21T16:00:00')),
    event('later', at('21T16:05:00')),
    event('next day', at('22T09:00:00')),
    event('whenever', null, { done: false }),
  ]
  const { columns } = drawingOf(story, [], at('22T10:00:00'))
  expect(columns.map(({ label }) => label)).toEqual(['2026-04-21', '16:05:00', '2026-04-22', null, 'open'])
})

test('only the first attempt of a delivery is named', () => {
  const story = [0, 60_000, 600_000].map((at) => attempt('COMPLETED', at))
  const labels = drawingOf(story, [], 700_000).rows.flatMap(({ marks }) => marks.map(({ label }) => label))
  expect(labels).toEqual(['COMPLETED', null, null])
})

test('every mark of a year with twelve charges and of thirty attempts lies within the picture', () => {
  const day = 86_400_000
  const charges = Array.from({ length: 12 }, (_, index) =>
    event(`${index + 2}`, (index + 1) * 30 * day, { lane: 'charge' }),
  )
  const attempts = Array.from({ length: 30 }, (_, index) => attempt('a', index * 600_000))
  const drawing = drawingOf([...charges, ...attempts, event('open', null)], [leg], 365 * day)
  const marks = drawing.rows.flatMap((row) => row.marks)
  expect(marks).toHaveLength(43)
  for (const { x } of marks) {
    expect(x).toBeGreaterThanOrEqual(drawing.left)
    expect(x).toBeLessThanOrEqual(drawing.width)
  }
})

test('two ticks in one second show their milliseconds', () => {
  const at = (ms: number) => Date.parse('2026-04-21T16:05:00Z') + ms
  const story = [-60_000, 100, 900].map((ms) => event(`${ms}`, at(ms)))
  const { columns } = drawingOf(story, [], at(60_000))
  expect(columns.map(({ label }) => label)).toEqual(['2026-04-21', '16:05:00.100', '16:05:00.900', null])
})

test('ticks at one time of two days show the day too', () => {
  const story = ['21T16:00', '21T17:00', '22T16:00', '22T17:00'].map((text) =>
    event(text, Date.parse(`2026-04-${text}:00Z`)),
  )
  const { columns } = drawingOf(story, [], Date.parse('2026-04-23T16:00:00Z'))
  expect(columns.map(({ label }) => label)).toEqual([
    ...['2026-04-21', '04-21 17:00:00', '2026-04-22', '04-22 17:00:00', null],
  ])
})

test('a tick needs no day because of one that shows a date', () => {
  const story = ['21T16:00', '21T17:00', '22T17:00'].map((text) =>
    event(text, Date.parse(`2026-04-${text}:00Z`)),
  )
  const { columns } = drawingOf(story, [], Date.parse('2026-04-23T16:00:00Z'))
  expect(columns.map(({ label }) => label)).toEqual(['2026-04-21', '17:00:00', '2026-04-22', null])
})

test('no two of a hundred ticks are the same', () => {
  const story = Array.from({ length: 100 }, (_, n) => event(`${n}`, n * 43_200_000 + (n % 3) * 100))
  const labels = drawingOf(story, [], 1).columns.flatMap(({ label }) => label ?? [])
  expect(labels.length).toBeGreaterThan(5)
  expect(new Set(labels).size).toBe(labels.length)
})

test.each([
  ['the left border', 'A_VERY_LONG_LABEL_ON', 0, 60_000],
  ['the right border', 'A_VERY_LONG_LABEL_ON', 59_000, 60_000],
  ['the present', 'COMPLETED', 30_000, 30_000],
])('a label gives way to %s', (_, label, at, now) => {
  const story = [
    event('first', 0, { lane: 'request' }),
    event(label, at),
    event('last', 60_000, { lane: 'request' }),
  ]
  const drawing = drawingOf(story, [], now)
  const mark = drawing.rows.flatMap(({ marks }) => marks).find((one) => one.label === label)
  const half = (label.length * 8.6) / 2
  const x = mark?.labelX ?? Number.NaN
  expect(x - half).toBeGreaterThan(80)
  expect(x + half).toBeLessThan(drawing.width)
  expect(Math.abs(x - drawing.now)).toBeGreaterThan(half)
})

test('a status that ends at the right border gets the room for its name', () => {
  const statuses = [{ at: 60_000, status: 'X'.repeat(200), tone: 'good' as const }]
  const { width, rows } = drawingOf([], [{ name: 'Order', statuses: [...leg.statuses, ...statuses] }], 60_000)
  const last = rows[0]?.segments.at(-1)
  expect(last?.label).toHaveLength(22)
  expect((last?.labelX ?? Infinity) + 22 * 8.6).toBeLessThan(width)
})

test('a small drawing has one bar with its marks, within its width, however much has happened', () => {
  const story = Array.from({ length: 200 }, (_, index) => event(`${index}`, index * 1_000))
  const drawing = smallDrawingOf([...story, event('open', null, { done: false })], leg, 100_000)
  expect(drawing.rows).toHaveLength(1)
  const { marks = [], segments = [] } = drawing.rows[0] ?? {}
  expect(marks.length).toBeLessThan(20)
  for (const { x } of marks) expect(x).toBeLessThan(drawing.width - 11)
  for (const { x, width } of segments) expect(x + width).toBeLessThanOrEqual(drawing.width)
})

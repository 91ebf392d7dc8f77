import { expect, test } from 'vitest'
import type { Leg } from '../../../../src/pages/dashboard/orders/timeline-drawing.ts'
import { type Drawing, drawingOf } from '../../../../src/pages/dashboard/orders/timeline-drawing.ts'
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

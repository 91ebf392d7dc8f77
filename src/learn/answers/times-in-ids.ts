import type { IdSample } from './id-forms.ts'

/** A part of all ids that has the time of their creation. */
export interface TimePart {
  readonly start: number
  readonly end: number
  /** As a form writes it. */
  readonly form: string
}

/** How far clocks may disagree. */
const slackMs = 2_000
const dayMs = 86_400_000

interface Form {
  readonly form: string
  readonly length: number
  /** Whether a part can be the time of creation. */
  readonly has: (part: string, sample: IdSample) => boolean
}

const milliseconds = '${createdAt:milliseconds}'

/** Whether digits are the milliseconds of creation, and not three random ones after its seconds. */
function areExact({ start, end }: TimePart, samples: readonly IdSample[]): boolean {
  const near = samples.map((sample) => ({ ...sample, ms: Number(sample.text.slice(start, end)) }))
  const isNear = near.every(({ ms, from, to }) => ms >= from - nearMs && ms <= to + nearMs)
  const chance = near.reduce((all, { from, to }) => all * Math.min(1, (to - from + 2 * nearMs) / 1000), 1)
  return isNear && chance < 1e-3
}

/** How far clocks of one machine are apart. */
const nearMs = 20

const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const crockford = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

const isWithin = (ms: number, { from, to }: IdSample): boolean => ms >= from - slackMs && ms <= to + slackMs

const ulidMs = (part: string): number =>
  [...part.slice(0, 10).toUpperCase()].reduce((ms, digit) => ms * 32 + base32.indexOf(digit), 0)

const isUlid = (part: string, sample: IdSample): boolean =>
  crockford.test(part.toUpperCase()) && isWithin(ulidMs(part), sample)

const hasDate =
  (begin: number, end: number) =>
  (part: string, { from, to }: IdSample): boolean =>
    // A long time between would have a day for many a number.
    to - from < 2 * dayMs &&
    [from - slackMs, from, to, to + slackMs].some(
      (ms) => new Date(ms).toISOString().replaceAll('-', '').slice(begin, end) === part,
    )

/** Longest first: a date is a part of a longer one. */
const forms: readonly Form[] = [
  { form: '${ulid}', length: 26, has: (part, sample) => part === part.toUpperCase() && isUlid(part, sample) },
  {
    form: '${ulid:lower}',
    length: 26,
    has: (part, sample) => part === part.toLowerCase() && isUlid(part, sample),
  },
  {
    form: milliseconds,
    length: 13,
    has: (part, sample) => /^\d{13}$/.test(part) && isWithin(Number(part), sample),
  },
  {
    form: '${createdAt:seconds}',
    length: 10,
    has: (part, sample) =>
      /^\d{10}$/.test(part) && isWithin(Number(part) * 1000, { ...sample, from: sample.from - 1000 }),
  },
  { form: '${createdAt:yyyymmdd}', length: 8, has: hasDate(0, 8) },
  { form: '${createdAt:yymmdd}', length: 6, has: hasDate(2, 8) },
]

const anyDates: readonly RegExp[] = [
  /^20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/,
  /^[2-3]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/,
]

/** Finds the times of creation in ids of one length; words if there is a time that cannot be read.
 *  @param samples in the order of their creation */
export function timePartsIn(samples: readonly IdSample[]): readonly TimePart[] | string {
  const length = samples[0]?.text.length ?? 0
  const parts: TimePart[] = []
  const isFree = (start: number, end: number) => parts.every((part) => end <= part.start || start >= part.end)
  for (const { form, length: size, has } of forms)
    for (let start = 0; start + size <= length; start++) {
      if (!isFree(start, start + size)) continue
      if (samples.every((sample) => has(sample.text.slice(start, start + size), sample)))
        parts.push({ start, end: start + size, form })
    }
  if (parts.some((part) => part.form === milliseconds && !areExact(part, samples)))
    return 'it is not clear whether they have milliseconds, or seconds and digits'
  for (const date of anyDates) {
    const size = date === anyDates[0] ? 8 : 6
    for (let start = 0; start + size <= length; start++)
      if (
        isFree(start, start + size) &&
        samples.every(({ text }) => date.test(text.slice(start, start + size)))
      )
        return 'they have a date that is not the one of their creation by the clock of the capture'
  }
  return parts
}

/** How far apart a subscription's charges are. */
export type Interval = 'WEEKLY' | 'MONTHLY' | 'QUARTERLY'

const weekMs = 7 * 86_400_000

/** The date of a subscription's n-th charge, counted from the first, so that a short month shortens no later one
 *  (N64j). */
export function chargeDate(
  first: number,
  n: number,
  { interval, offsetMinutes }: { interval: Interval; offsetMinutes: number },
): number {
  if (interval === 'WEEKLY') return first + (n - 1) * weekMs
  return monthsLater(first, (n - 1) * (interval === 'MONTHLY' ? 1 : 3), offsetMinutes)
}

/** The same day of the month and time of day; in a shorter month, its last day. */
function monthsLater(moment: number, months: number, offsetMinutes: number): number {
  const local = new Date(moment + offsetMinutes * 60_000)
  const year = local.getUTCFullYear()
  const month = local.getUTCMonth() + months
  // Day 0 of a month is the last one of the month before.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(local.getUTCDate(), lastDay))
  const timeOfDay = local.getTime() - Date.UTC(year, local.getUTCMonth(), local.getUTCDate())
  return midnight + timeOfDay - offsetMinutes * 60_000
}

/** A moment so many months later, on the same day of the month and at the same time of day; where the month is too
 *  short, on its last day (N64j). */
export function monthsLater(moment: number, months: number, offsetMinutes: number): number {
  const local = new Date(moment + offsetMinutes * 60_000)
  const year = local.getUTCFullYear()
  const month = local.getUTCMonth() + months
  // Day 0 of a month is the last one of the month before.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(local.getUTCDate(), lastDay))
  const timeOfDay = local.getTime() - Date.UTC(year, local.getUTCMonth(), local.getUTCDate())
  return midnight + timeOfDay - offsetMinutes * 60_000
}

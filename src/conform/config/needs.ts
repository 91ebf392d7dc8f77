import type { ConformConfig } from './config.ts'

/** What of a configuration shows more of the application. */
const channels: readonly string[] = [
  'webhookUrl',
  'webhookSignature',
  'start',
  'startSubscription',
  'probe',
  'reconcile',
  'time',
] satisfies (keyof ConformConfig)[]

/** The members of a configuration that are named in a text, between backticks: that is how a case says what it needs
 *  to be seen. In the order in which a configuration has them. */
export function membersNamed(text: string): string[] {
  const names = [...text.matchAll(/`([A-Za-z.]+)`/g)].map(([, name = '']) => name)
  return [...new Set(names)]
    .filter((name) => placeOf(name) >= 0)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b))
}

const placeOf = (name: string): number => channels.indexOf(name.split('.')[0] ?? '')

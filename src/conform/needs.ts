import type { ConformConfig } from './config.ts'

/** What of a configuration shows more of the application. */
const channels: readonly (keyof ConformConfig)[] = [
  'start',
  'startSubscription',
  'probe',
  'reconcile',
  'time',
  'webhookUrl',
  'webhookSignature',
]

/** The members of a configuration that are named in a text, between backticks: that is how a case says what it needs
 *  to be seen. */
export function membersNamed(text: string): string[] {
  const names = [...text.matchAll(/`([A-Za-z.]+)`/g)].map(([, name = '']) => name)
  return [...new Set(names)]
    .filter((name) => channels.some((channel) => channel === name.split('.')[0]))
    .toSorted()
}

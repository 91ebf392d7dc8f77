import { settingsSchema } from '../domain/choices/settings.ts'
import { orderStatuses, refundStatuses } from '../domain/order/statuses.ts'
import {
  type ReadEvent,
  type ReadingSettings,
  readEvents,
  readingSettings,
} from '../domain/webhook/read-events.ts'

type Values = Readonly<Record<string, unknown>>

/** Where the settings of received webhooks are read. */
export interface SettingsSource {
  /** The effective settings of the client, as its user writes them; null if the client or the emulator is gone. */
  readonly ofClient: () => Promise<Values | null>
  /** The settings of the scenario that sent a webhook; null for none.
   *  @param requestId undefined if the body does not say it */
  readonly ofScenario: (body: string, requestId: string | undefined) => Promise<Values | null>
}

/** Reads the events of a received webhook by the settings of its client, or of its scenario where those of the client do
 *  not explain it. */
export async function readReceived(body: string, source: SettingsSource): Promise<ReadEvent[]> {
  const effective = (await source.ofClient()) ?? {}
  const events = readEvents(body, settingsIn(effective))
  if (events.length > 0 && events.every(isExplained)) return events
  const over = await source.ofScenario(body, events[0]?.requestId)
  return over === null ? events : readEvents(body, settingsIn({ ...effective, ...over }))
}

const known: ReadonlySet<string | undefined> = new Set([...orderStatuses, ...refundStatuses])

const isExplained = ({ requestId, orderStatus }: ReadEvent): boolean =>
  requestId !== undefined && known.has(orderStatus)

const schema = settingsSchema.pick({
  'webhook.format': true,
  'webhook.template': true,
  'webhook.refundTemplate': true,
  'words.webhook': true,
  'words.events': true,
  'webhook.jwt': true,
  'webhook.batch': true,
} satisfies Record<(typeof readingSettings)[number], true>)

function settingsIn(values: Values): ReadingSettings {
  return schema.parse(Object.fromEntries(readingSettings.map((name) => [name, values[name]])))
}

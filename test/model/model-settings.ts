/** The settings of a client that the model knows. */
export interface ModelSettings {
  /** The effect of the expiry of an unpaid order (`orders.onExpiry`). */
  readonly onExpiry: 'keep' | 'fail' | 'abandon'
  readonly expiryMs: number
  /** The payer (`orders.autopay`). */
  readonly autopay: 'unless-page' | 'always' | 'never'
  /** The statuses with webhooks (`webhook.on`); null for all. */
  readonly told: readonly string[] | null
  /** East of UTC (`time.offset`). */
  readonly offsetMinutes: number
  readonly retryMax: number
  readonly retryBaseMs: number
  readonly retryCapMs: number
}

export const defaultSettings: ModelSettings = {
  onExpiry: 'keep',
  expiryMs: 15 * 60_000,
  autopay: 'unless-page',
  told: null,
  offsetMinutes: 0,
  retryMax: 10,
  retryBaseMs: 1_000,
  retryCapMs: 600_000,
}

/** A setting for the emulator, and its meaning for the model. */
export interface SettingChange {
  readonly name: string
  readonly value: unknown
  readonly means: Partial<ModelSettings>
}

export const settingChanges: readonly SettingChange[] = [
  { name: 'orders.onExpiry', value: 'keep', means: { onExpiry: 'keep' } },
  { name: 'orders.onExpiry', value: 'fail', means: { onExpiry: 'fail' } },
  { name: 'orders.onExpiry', value: 'abandon', means: { onExpiry: 'abandon' } },
  { name: 'orders.expiry', value: '3s', means: { expiryMs: 3_000 } },
  { name: 'orders.expiry', value: '15m', means: { expiryMs: 900_000 } },
  { name: 'orders.autopay', value: 'always', means: { autopay: 'always' } },
  { name: 'orders.autopay', value: 'never', means: { autopay: 'never' } },
  { name: 'orders.autopay', value: 'unless-page', means: { autopay: 'unless-page' } },
  { name: 'time.offset', value: '-03:30', means: { offsetMinutes: -210 } },
  { name: 'time.offset', value: '+14:00', means: { offsetMinutes: 840 } },
  { name: 'time.offset', value: '+00:00', means: { offsetMinutes: 0 } },
  { name: 'webhook.on', value: ['COMPLETED', 'FAILED'], means: { told: ['COMPLETED', 'FAILED'] } },
  { name: 'webhook.on', value: 'all', means: { told: null } },
  { name: 'webhook.retry.max', value: 0, means: { retryMax: 0 } },
  { name: 'webhook.retry.max', value: 3, means: { retryMax: 3 } },
  { name: 'webhook.retry.max', value: 10, means: { retryMax: 10 } },
  { name: 'webhook.retry.base', value: '1500ms', means: { retryBaseMs: 1_500 } },
  { name: 'webhook.retry.base', value: '1s', means: { retryBaseMs: 1_000 } },
  { name: 'webhook.retry.cap', value: '5s', means: { retryCapMs: 5_000 } },
  { name: 'webhook.retry.cap', value: '10m', means: { retryCapMs: 600_000 } },
]

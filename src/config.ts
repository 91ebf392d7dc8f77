import { z } from 'zod'
import type { SettingsOverlay } from './domain/choices.ts'
import { webhookUrl } from './domain/webhook-url.ts'

const clockText = z.string().transform((text, context) => {
  if (text === 'real') return { mode: 'real', speed: 1 } as const
  if (text === 'manual') return { mode: 'manual', speed: 0 } as const
  const speed = Number(/^(\d+(\.\d+)?)x$/.exec(text)?.[1])
  if (speed > 0 && speed <= 1_000_000) return { mode: 'real', speed } as const
  context.addIssue({ code: 'custom', message: 'must be `real`, `manual` or a speed like `60x`' })
  return z.NEVER
})

const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 moment with an offset, like 2026-04-21T16:12:09Z' })
  .transform((text) => Date.parse(text))

/** What stands in headers and in paths of the control API. */
const headerText = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')

const whsec = z
  .string()
  .regex(
    /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/,
    'must be `whsec_` and base64, as Standard Webhooks writes secrets',
  )

/** What the emulator is started with; every flag of `serve` stands here, and so does its default. */
export const configSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(4600),
  host: z.string().min(1).default('127.0.0.1'),
  /** `:memory:` or a file's path. */
  database: z.string().min(1).default(':memory:'),
  durable: z.boolean().default(false),
  /** Files and folders added to the built-in scenarios. */
  scenarios: z.array(z.string()).default([]),
  /** The common settings, read from `--settings`. */
  settings: z.custom<SettingsOverlay>().default({}),
  clock: clockText.prefault('real'),
  startTime: moment.optional(),
  /** Ids follow from it; random if left out. */
  seed: z.string().min(1).optional(),
  clientId: headerText.default('demo-client'),
  apiSecret: z.string().min(1).optional(),
  accessToken: headerText.optional(),
  webhookSecret: whsec.optional(),
  webhookUrl: webhookUrl.optional(),
  controlToken: headerText.optional(),
  openControl: z.boolean().default(false),
  allowedHosts: z
    .array(z.string().regex(/^[A-Za-z0-9._-]+$/, 'must be a host name alone, like emulator.example.com'))
    .default([]),
  publicUrl: z.url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' }).optional(),
  /** Wall milliseconds that a stop waits for deliveries in flight. */
  drainMs: z.int().min(0).default(4_000),
})

export type Config = z.output<typeof configSchema>
export type ConfigInput = z.input<typeof configSchema>

/** The demo client's credentials unless flags say otherwise. */
export const demo = {
  apiSecret: 'demo-secret',
  accessToken: 'demo-token',
  webhookSecret: 'whsec_ZGVtby13ZWJob29rLXNlY3JldA==',
} as const

/** Whether an address to listen on reaches no further than this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

import * as z from 'zod'
import { httpBase } from '../domain/choices/choice.ts'
import { learnedSettings } from '../domain/choices/learned.ts'
import { readSettings } from '../domain/choices/read-settings.ts'
import type { SettingsOverlay } from '../domain/choices/settings.ts'
import { headerText, webhookSecret } from '../domain/client/client.ts'
import { didYouMean, shown } from '../domain/text/issue-words.ts'
import { type Checked, check } from '../domain/text/problems.ts'
import { isoMoment } from '../domain/text/time.ts'
import { webhookUrl } from '../domain/text/webhook-url.ts'
import { places } from '../domain/webhook/connection-advice.ts'
import { isAllowRule } from '../webhooks/targets.ts'

const clockText = z.string().transform((text, context) => {
  if (text === 'real') return { mode: 'real', speed: 1 } as const
  if (text === 'manual') return { mode: 'manual', speed: 0 } as const
  const speed = Number(/^(\d+(\.\d+)?)x$/.exec(text)?.[1])
  if (speed > 0 && speed <= 1_000_000) return { mode: 'real', speed } as const
  const hint = /^\d+(\.\d+)?$/.test(text)
    ? `; did you mean \`${text}x\`?`
    : didYouMean(text, ['real', 'manual'])
  const message = `expected \`real\`, \`manual\` or a speed like \`60x\`, not ${shown(text)}${hint}`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const commonSettings = z.unknown().transform((input, context): SettingsOverlay => {
  const reading = readSettings(input, { scope: 'common' })
  if (reading.ok) return reading.overlay
  for (const { path, message } of reading.problems) {
    context.addIssue({ code: 'custom', path: [...path], message })
  }
  return z.NEVER
})

/** The configuration of the emulator: every flag of `serve` with its default. */
export const configSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(4600),
  host: z.string().min(1).default('127.0.0.1'),
  /** The path of the database file, or `:memory:`. */
  database: z.string().min(1).default(':memory:'),
  durable: z.boolean().default(false),
  /** Files and folders added to the built-in scenarios. */
  scenarios: z.array(z.string()).default([]),
  /** Fixture files to start with, or names of built-in fixtures. */
  fixtures: z.array(z.string().min(1)).default([]),
  settings: commonSettings.default({}),
  /** The evidence of the settings file, if `learn` wrote it. */
  learned: learnedSettings.nullable().default(null),
  clock: clockText.prefault('real'),
  startTime: isoMoment.optional(),
  /** The seed of all ids; random if left out. */
  seed: z.string().min(1).optional(),
  clientId: headerText.default('demo-client'),
  apiSecret: z.string().min(1).optional(),
  accessToken: headerText.optional(),
  webhookSecret: webhookSecret.optional(),
  webhookUrl: webhookUrl.optional(),
  controlToken: headerText.optional(),
  openControl: z.boolean().default(false),
  allowedHosts: z
    .array(z.string().regex(/^[A-Za-z0-9._-]+$/, 'must be only a host name, like emulator.example.com'))
    .default([]),
  /** The allowed destinations of webhooks; without any, all are allowed. */
  webhookAllow: z
    .array(z.string().refine(isAllowRule, 'must be a host, an IP address or a range like 10.0.0.0/8'))
    .default([]),
  publicUrl: httpBase.optional(),
  /** Where the emulator runs, detected by the program. Errors of webhooks use this to explain `localhost`. */
  place: z.enum(places).default('machine'),
  /** Wall-clock milliseconds that a stop waits for deliveries in flight. */
  drainMs: z.int().min(0).default(4_000),
})

/** A configuration with all defaults filled in. */
export type Config = z.output<typeof configSchema>
export type ConfigInput = z.input<typeof configSchema>

/** Reads a configuration and fills in the defaults. */
export function readConfig(given: unknown): Checked<Config> {
  return check(configSchema, given)
}

/** Whether an address to listen on is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

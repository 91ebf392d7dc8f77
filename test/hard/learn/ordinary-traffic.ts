import type { SettingsOverlay } from '../../../src/domain/choices/settings.ts'
import type { CheckoutForm } from '../../../src/domain/webhook/signature.ts'
import { startEmulator, type TestEmulator } from '../../../src/index.ts'
import { Chance } from '../support/fuzz/chance.ts'
import { Application, type TokenForm } from './application.ts'
import { shuffled } from './draw.ts'
import { endpointTrouble } from './endpoint-trouble.ts'
import { beginnersMistakes } from './mistakes.ts'
import { Receiver } from './receiver.ts'
import { Recorder } from './recorder.ts'
import { failures, payments, refunds, subscriptions, tokens, twoAccounts, unpaid } from './stories.ts'

/** The secrets of both accounts. They can be read as text, as base64 and as hex. */
export const secrets = {
  apiSecret: '4f8c1a7be2d95036c8b1f40e7a6d3952b8e07c14f5a29d6384c0e1b7a95f3d62',
  webhookSecret: 'whsec_a1d07e53b94f28c6e5037ab1d8f46290c37be15a804d6f92be730c5d18a4f609',
} as const

/** Everything that a part of the traffic uses. */
export interface Stage {
  readonly emulator: TestEmulator
  readonly app: Application
  /** A second account of the same team. */
  readonly other: Application
  readonly receiver: Receiver
  readonly chance: Chance
  readonly now: () => Promise<number>
  readonly advance: (by: string) => Promise<void>
  /** Lets the payers of some orders pay, if they are those who do: the settings and the `mode` decide. */
  readonly pay: (requestIds: readonly string[]) => Promise<void>
  readonly requestId: () => string
  readonly email: () => string
}

/** The parts of the traffic in the order in which they are played, unless the seed says otherwise. The endpoint has its
 *  trouble at the end. */
const parts = { payments, failures, refunds, subscriptions, unpaid, tokens, twoAccounts, beginnersMistakes }

export type Part = keyof typeof parts | 'endpointTrouble'

const partNames = [
  'payments',
  'failures',
  'refunds',
  'subscriptions',
  'unpaid',
  'tokens',
  'twoAccounts',
  'beginnersMistakes',
] as const

/** Plays ordinary traffic against an emulator with hidden settings, and writes what the team has captured.
 *  @param seed decides about ids, amounts and the order of the parts
 *  @returns the paths of the captures */
export async function ordinaryTraffic(
  settings: SettingsOverlay,
  {
    seed,
    folder,
    only,
  }: {
    readonly seed: number
    readonly folder: string
    /** These parts only; all if left out. */
    readonly only?: readonly Part[]
  },
): Promise<string[]> {
  const chance = new Chance(seed)
  let receiver: Receiver | undefined
  await using emulator = await startEmulator({
    listen: false,
    clock: 'manual',
    startTime: '2026-03-02T09:00:00Z',
    seed: `traffic ${seed}`,
    settings,
    webhookFetch: (request) => receiver?.receive(request) ?? new Response(),
  })
  const accounts = await Promise.all(
    ['acme-shop', 'acme-eu'].map((clientId) => emulator.createClient({ clientId, ...secrets })),
  )
  const [main, second] = accounts
  if (main === undefined || second === undefined) throw new Error('no clients')
  const now = () => main.clock.now()
  const recorder = new Recorder(emulator.url, emulator.fetch, now)
  receiver = new Receiver(recorder.arrivals, now)
  const advance = async (by: string) => {
    await emulator.clock.advance(by)
  }
  const around = {
    recorder,
    now,
    tokens: tokenForm(settings['auth.tokenRoute']),
    form: () => signedForm(settings['signature.checkout'], chance),
    wait: (ms: number) => advance(`${ms}ms`),
  }
  const app = new Application(main, around)
  const other = new Application(second, around)
  const path = settings['paths.webhookUrl'] === 'fiat' ? '/v1/client/fiat/webhook-url' : undefined
  await app.setUrl(hookUrl, path)
  await other.setUrl('https://hooks.acme.example/payments-eu', path)
  const stage: Stage = {
    ...{ emulator, app, other, receiver, chance, now, advance },
    pay: async (requestIds) => {
      await advance('2s')
      for (const requestId of requestIds) {
        const order = await main.orders.get(requestId)
        if (order.waitsForPayer) await main.orders.pay(requestId)
      }
    },
    requestId: () => uuid(chance),
    email: () => `payer${chance.below(1_000_000)}@example.com`,
  }
  const isUsual = seed % 2 === 1
  const isPlayed = (part: Part) => only === undefined || only.includes(part)
  for (const part of (isUsual ? partNames : shuffled(chance, partNames)).filter(isPlayed)) {
    await parts[part](stage)
    await advance(`${3 + chance.below(20)}m`)
  }
  if (isPlayed('endpointTrouble')) await endpointTrouble(stage)
  await advance('32d')
  await app.lookUp('orders', stage.requestId())
  return await recorder.write(folder)
}

export const hookUrl = 'https://hooks.acme.example/payments'

/** What the documents of the service say about its tokens. */
function tokenForm(route: unknown): TokenForm {
  const fields: Readonly<Record<string, unknown>> =
    typeof route === 'object' && route !== null ? { ...route } : { path: '/_emulator/access-token' }
  const [form = 'json'] = Array.isArray(fields.accepts) ? fields.accepts : []
  return {
    path: String(fields.path),
    form: form === 'form' || form === 'basic' ? form : 'json',
    idField: String(fields.clientIdField ?? 'clientId'),
    secretField: String(fields.apiSecretField ?? 'apiSecret'),
  }
}

/** The text that the account's documents say to sign; where both are right, a team may use either. */
function signedForm(setting: unknown, chance: Chance): CheckoutForm {
  if (setting === 'short' || setting === 'with-currency') return setting
  return chance.yes(0.5) ? 'short' : 'with-currency'
}

function uuid(chance: Chance): string {
  const hex = (digits: number) => Array.from({ length: digits }, () => chance.below(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
}

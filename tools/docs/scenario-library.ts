import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readScenarioFile } from '../../src/domain/scenario/compile-scenario.ts'
import { table } from './table.ts'

const root = new URL('../../', import.meta.url)

/** The scenarios that ship, by what they are about. */
const groups: readonly (readonly [title: string, ids: readonly string[]])[] = [
  ['Orders that end well', ['happy', 'happy-instant', 'happy-slow', 'overnight', 'payer-decides']],
  [
    'Orders that fail',
    ['fail-9004', 'fail-9005', 'fail-unknown-code', 'fail-dotted-code', 'paid-then-failed'],
  ],
  ['Orders that nobody pays', ['never-pays', 'expired-failed', 'expired-abandoned']],
  ['Refunds', ['refund-initiated', 'refund-partial-twice', 'refund-failed', 'refund-empty-reason']],
  ['Amounts', ['underpaid-failed', 'underpaid-ok', 'overpaid']],
  [
    'Calls that go wrong',
    [
      ...[
        'create-500-order-exists',
        'create-500-no-order',
        'create-timeout-then-7001',
        'create-connection-reset',
      ],
      ...['lookup-flaky', 'rate-limited', 'token-expires-midflow', 'token-revoked-loop'],
    ],
  ],
  [
    'Webhooks that go wrong',
    [
      ...[
        'webhook-duplicate',
        'webhook-out-of-order',
        'webhook-never',
        'webhook-late',
        'webhook-before-response',
      ],
      ...['webhook-endpoint-down', 'webhook-forged', 'url-changed-midflow'],
    ],
  ],
  [
    'Records that surprise',
    ['unknown-status', 'crypto-leg-late', 'two-leg-events', 'clock-skew', 'big-metadata-unicode'],
  ],
  ['Subscriptions', ['sub-trial-monthly', 'sub-month3-fails', 'sub-month-end', 'sub-cancelled']],
  ['Payouts and crypto payins', ['payout-ok', 'payout-failed', 'crypto-payin']],
  ['Everything at once', ['chaos']],
]

/** The scenarios that ship, in groups. @throws if a scenario that ships is in no group, or in two */
export function scenarioLibrary(): string {
  const files = globSync('scenarios/*.yaml', { cwd: fileURLToPath(root) })
  const ship = files.map((file) => basename(file, '.yaml')).toSorted()
  const grouped = groups.flatMap(([, ids]) => ids).toSorted()
  if (ship.join() !== grouped.join()) throw new Error(`scenarios and groups differ:\n${ship}\n${grouped}`)
  return groups.map(([title, ids]) => section(title, ids)).join('')
}

const section = (title: string, ids: readonly string[]): string =>
  `\n## ${title}\n\n${table(['scenario', 'what happens', 'what it tests'], ids.map(row))}`

function row(id: string): string[] {
  const read = readScenarioFile(readFileSync(new URL(`scenarios/${id}.yaml`, root), 'utf8'), id, id)
  if ('problems' in read) throw new Error(`${id} is no scenario`)
  const { description, tests, for: kinds } = read.scenario
  const only = kinds === null ? '' : ` (${kinds.join(', ')})`
  return [`[\`${id}\`](../../scenarios/${id}.yaml)${only}`, description, tests.replace(/^That your/, 'Your')]
}

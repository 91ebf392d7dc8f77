import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readScenarioFile } from '../src/domain/scenario/scenario-file.ts'

const root = new URL('../', import.meta.url)
const target = new URL('docs/scenario-library.md', root)

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

/** The text of `docs/scenario-library.md`. @throws if a scenario that ships is in no group, or in two */
export function libraryPage(): string {
  const files = globSync('scenarios/*.yaml', { cwd: fileURLToPath(root) })
  const ship = files.map((file) => basename(file, '.yaml')).toSorted()
  const grouped = groups.flatMap(([, ids]) => ids).toSorted()
  if (ship.join() !== grouped.join()) throw new Error(`scenarios and groups differ:\n${ship}\n${grouped}`)
  return `${head}\n${groups.map(([title, ids]) => section(title, ids)).join('\n')}`
}

const head = `<!-- Written by tools/scenario-library.ts from the files in scenarios/. -->

# The scenarios that ship

A checklist: play each one against your application, and see whether the last column holds. How one is chosen is in
[scenarios.md](scenarios.md#use-it); \`payment-order-emulator explain <id>\` prints what it does.
`

function section(title: string, ids: readonly string[]): string {
  return `## ${title}\n\n| scenario | what happens | what it tests |\n|---|---|---|\n${ids.map(row).join('')}`
}

function row(id: string): string {
  const read = readScenarioFile(readFileSync(new URL(`scenarios/${id}.yaml`, root), 'utf8'), id, id)
  if ('problems' in read) throw new Error(`${id} is no scenario`)
  const { description, tests, for: kinds } = read.scenario
  const only = kinds === null ? '' : ` (${kinds.join(', ')})`
  const cells = [
    `[\`${id}\`](../scenarios/${id}.yaml)${only}`,
    description,
    tests.replace(/^That your/, 'Your'),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, libraryPage())

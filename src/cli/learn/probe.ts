import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { httpBase } from '../../domain/choices/choice.ts'
import { masked } from '../../domain/journal/masking.ts'
import { oneLine, shown } from '../../domain/text/issue-words.ts'
import { check } from '../../domain/text/problems.ts'
import { type ProbeCall, probePlan } from '../../learn/probe-plan.ts'
import { stopwatch, wallNow } from '../../time/wall.ts'
import { CliError } from '../cli-error.ts'
import { makeWritable, refuseExisting, writeResult } from '../output-files.ts'
import type { Terminal } from '../terminal.ts'
import { secretIn, textIn } from './options.ts'

/** The capture of a probe. */
export interface Probed {
  readonly file: string
  /** Names the probe in a text, instead of a file that is removed. */
  readonly named: (text: string) => string
  /** Removes the file, unless the user asked for it. */
  readonly remove: () => void
}

/** Makes the calls of a probe, after a question, and writes them as a capture.
 *  @throws CliError */
export async function probe(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<Probed> {
  const base = baseIn(flags.probe)
  const account = {
    clientId: required(flags.client, '--client'),
    apiSecret: required(secretIn(flags.apiSecret, '--api-secret', terminal.env), '--api-secret'),
    accessToken: required(secretIn(flags.accessToken, '--access-token', terminal.env), '--access-token'),
    currencyId: textIn(flags.currency) ?? 'usd_us',
    run: `probe-${randomBytes(6).toString('hex')}`,
  }
  const kept = textIn(flags.capture)
  if (kept !== null) {
    refuseExisting(kept, flags.force === true)
    makeWritable(kept)
  }
  const plan = probePlan(account)
  await agreed(plan, base, flags.yes === true, terminal)
  const lines: string[] = []
  for (const call of plan) lines.push(JSON.stringify(await made(call, base)))
  const text = lines
    .map((line) => `${line.replaceAll(account.accessToken, masked(account.accessToken))}\n`)
    .join('')
  if (kept !== null) {
    writeResult(kept, text)
    return { file: kept, named: (text) => text, remove: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'payment-order-probe-'))
  const file = join(folder, 'probe.jsonl')
  writeResult(file, text)
  return {
    file,
    named: (text) => text.replaceAll(file, `probe of ${base}`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function baseIn(flag: unknown): string {
  const checked = check(httpBase, flag)
  if (checked.ok) return checked.value
  throw new CliError(2, `error: --probe: ${checked.problems[0]?.message ?? 'is no URL'}`)
}

function required(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new CliError(2, `error: \`--probe\` needs \`${name}\``)
}

/** Shows the plan and asks.
 *  @throws CliError if nobody agrees */
async function agreed(
  plan: readonly ProbeCall[],
  base: string,
  isAnswered: boolean,
  terminal: Terminal,
): Promise<void> {
  terminal.err(
    `${plan.length} calls to ${base}, one after the other. No webhook URL changes, and nobody pays:`,
  )
  for (const { method, path, asks } of plan)
    terminal.err(`  ${method.padEnd(4)} ${path.replace(/\?.*/, '').padEnd(42)} ${asks}`)
  if (isAnswered) return
  const answer = await terminal.ask('Is this a test environment, and shall these calls be made? [y/N] ')
  if (answer === null)
    throw new CliError(
      2,
      'error: `--probe` asks before it begins, and there is no terminal to answer on; `--yes` answers',
    )
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(2, 'error: no call was made')
}

/** The longest wait for an answer. */
const timeoutMs = 15_000

/** Makes a call, as a line of a capture. */
async function made({ method, path, headers, body }: ProbeCall, base: string): Promise<object> {
  const at = wallNow()
  const begun = stopwatch()
  try {
    const { statusCode, ...answer } = await request(`${base}${path}`, {
      ...{ method, headers, body },
      signal: AbortSignal.timeout(timeoutMs),
    })
    const response = await answer.body.text()
    return {
      ...{ at, method, url: `${base}${path}`, headers, body, response },
      ms: Math.round(stopwatch() - begun),
      status: statusCode,
      responseHeaders: answer.headers,
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(1, `error: ${shown(base)} does not answer: ${oneLine(reason)}`)
  }
}

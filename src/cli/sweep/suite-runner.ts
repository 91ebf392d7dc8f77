import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import * as z from 'zod'
import type { Behaviour } from '../../domain/sweep/behaviour.ts'
import { sweepVariable } from '../../lifecycle/sweep-behaviours.ts'
import { clientVariables } from '../../pages/client-commands.ts'
import { type RunRecord, readRecord } from '../../sweep/run-record.ts'
import { type RunSuite, type SuiteRun, SweepRefused } from '../../sweep/sweep.ts'
import { readTestReport, type TestReport } from '../../sweep/test-report.ts'
import { after } from '../../time/timers.ts'
import { stopwatch, wallNow } from '../../time/wall.ts'
import { controlCall } from '../control-call.ts'
import { ChildCommand } from '../exec/child-command.ts'
import { createLog } from '../log/log.ts'
import { coverageFolderIn } from '../output-files.ts'
import { readServeOptions, withSettings } from '../serve/options.ts'
import { placeOf, type Running, start } from '../serve/start.ts'
import type { Terminal } from '../terminal.ts'

const mostLines = 20
const mostCharacters = 64 * 1024

/** Keeps only the last lines of an output. */
class Tail {
  readonly #decoder = new StringDecoder('utf8')
  #text = ''

  add(chunk: Buffer): void {
    this.#text = (this.#text + this.#decoder.write(chunk)).slice(-mostCharacters)
  }

  get text(): string {
    return stripVTControlCharacters(this.#text)
  }

  lines(): string[] {
    const lines = this.text.split(/\r?\n/)
    return lines.filter((line) => line.trim() !== '').slice(-mostLines)
  }
}

interface Suite {
  readonly command: readonly string[]
  /** The values of the flags that `sweep` shares with `serve`. */
  readonly flags: Readonly<Record<string, unknown>>
  /** The seed of all emulators in the sweep. */
  readonly seed: string
  /** The report file that the tests write; `{run}` stands for the number of the run. */
  readonly report: string | null
  /** The folder in which the runs write their files. */
  readonly folder: string
  readonly terminal: Terminal
  /** Called with the emulator after the tests, before it is closed. */
  readonly whileOpen?: (running: Running) => Promise<void>
}

/** The tolerance for file times, because some file systems store only whole seconds. */
const mtimeSlackMs = 2_000

/** Creates a function that runs the test suite beside its own emulator. */
export function suiteRunner({ command, flags, seed, report, folder, terminal, whileOpen }: Suite): RunSuite {
  let runs = 0
  const options = readServeOptions(
    { ...flags, seed, port: '0', database: ':memory:' },
    { ...terminal.env, EMULATOR_PORT: '' },
  )
  const config = { ...withSettings(options), place: placeOf(terminal.env) }
  return async (behaviours, mostMs): Promise<SuiteRun> => {
    runs += 1
    const run = String(runs)
    const own = join(folder, `run-${run}`)
    mkdirSync(own)
    const record = join(own, 'record.jsonl')
    const order = join(own, 'order.json')
    writeFileSync(
      order,
      JSON.stringify({ behaviours: behaviours.map(({ name }: Behaviour) => name), record, seed }),
    )
    const tail = new Tail()
    const child = new ChildCommand(
      command.map((word) => word.replaceAll('{run}', run)),
      (chunk) => tail.add(chunk),
    )
    const running = await start(config, createLog('silent', terminal, config.clientId), {
      sweep: { behaviours, record, seed },
      coverageFolder: coverageFolderIn(terminal.env),
    })
    const { emulator, url } = running
    const begunAt = wallNow()
    const watch = stopwatch()
    let hung = false
    const cancel =
      mostMs === null
        ? () => {}
        : after(mostMs, () => {
            hung = true
            child.end()
          })
    try {
      const token = emulator.controlToken
      const exitCode = await child.run({
        ...terminal.env,
        ...clientVariables(url, emulator.demoClient()),
        EMULATOR_URL: url,
        EMULATOR_CLIENT_ID: config.clientId,
        [sweepVariable]: order,
        ...(token === null ? {} : { EMULATOR_CONTROL_TOKEN: token }),
      })
      const ms = stopwatch() - watch
      await whileOpen?.(running)
      const isBaseline = behaviours.length === 0
      const file = report?.replaceAll('{run}', run)
      const mayLackReport = hung || (exitCode !== 0 && !isBaseline)
      const tests = file === undefined ? tapIn(tail.text) : reportOf(file, begunAt, mayLackReport)
      const reports = file !== undefined || tests !== null
      return {
        green: exitCode === 0 && !hung && (tests?.failed.length ?? 0) === 0,
        hung,
        crashed: reports && !hung && exitCode !== 0 && (tests?.failed ?? []).length === 0,
        exitCode,
        ms,
        tests: tests?.tests ?? null,
        failed: tests?.failed ?? [],
        spans: tests?.spans ?? [],
        tail: tail.lines(),
        record: await withOthers(readRecord(existsSync(record) ? readFileSync(record, 'utf8') : '')),
      }
    } finally {
      cancel()
      child.dispose()
      await running.close()
    }
  }
}

/** Reads the report from the tests' output, if the output is TAP. */
const tapIn = (output: string): TestReport | null =>
  /^(TAP version|1\.\.\d+$)/m.test(output) ? readTestReport(output) : null

/** Reads the report of the tests. A report older than the run is ignored.
 *  @param mayLack a suite that hung or crashed may have written no report
 *  @throws SweepRefused if the report is missing or unreadable */
function reportOf(file: string, begunAt: number, mayLack: boolean): TestReport | null {
  const isThere = existsSync(file)
  const isNew = isThere && statSync(file).mtimeMs >= begunAt - mtimeSlackMs
  const report = isNew ? readTestReport(readFileSync(file, 'utf8')) : null
  if (report !== null || mayLack) return report
  if (!isThere)
    throw new SweepRefused(`--report: the tests have not written the file ${JSON.stringify(file)}`)
  if (!isNew)
    throw new SweepRefused(
      `--report: ${JSON.stringify(file)} is older than this run; do the tests write their report to another file?`,
    )
  throw new SweepRefused(
    `--report: ${JSON.stringify(file)} is not a test report; expected JUnit XML, TAP, or the JSON of vitest or jest`,
  )
}

/** Adds the records of emulators that an earlier process started, and stops their behaviours. */
async function withOthers(own: RunRecord): Promise<RunRecord> {
  const lines: { at: number }[] = [...own.lines]
  for (const line of own.lines) {
    if (!('connected' in line)) continue
    const access = { url: line.connected, controlToken: line.controlToken }
    const { record } = recordAnswer.parse(await controlCall(access, 'GET', '/sweep'))
    await controlCall(access, 'DELETE', '/sweep')
    lines.push(...record)
  }
  const inTime = lines.toSorted((a, b) => a.at - b.at)
  return readRecord(inTime.map((line) => JSON.stringify(line)).join('\n'))
}

const recordAnswer = z.object({ record: z.array(z.looseObject({ at: z.number() })) })

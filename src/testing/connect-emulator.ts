import { appendFileSync, readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { pause } from '../time/timers.ts'
import { stopwatch, wallNow } from '../time/wall.ts'
import { ControlApi } from './control-api.ts'
import { emulatorFetch } from './emulator-fetch.ts'
import { ControlCallRefused, EmulatorUnreachable, strayOption } from './errors.ts'
import { connectionsTo, httpTransport } from './http-transport.ts'
import { TestEmulator } from './test-emulator.ts'
import { ClosedGuard } from './transport.ts'

/** Options of `connectEmulator`. */
export interface ConnectOptions {
  /** The control token, if the emulator asks for one. */
  readonly controlToken?: string | undefined
  /** How long to wait for an emulator that is still starting, in milliseconds of wall-clock time. Default: 0, one
   *  attempt. */
  readonly readyWithinMs?: number | undefined
}

const optionNames: readonly (keyof ConnectOptions)[] = ['controlToken', 'readyWithinMs']

/** Connects to a running emulator: in a container, a service of the CI job, a terminal.
 *  @param url the emulator's base URL, such as `http://localhost:4600`
 *  @throws EmulatorUnreachable if nothing answers
 *  @throws ControlCallRefused if the control token is missing or wrong, or the server is not an emulator */
export async function connectEmulator(
  url: string | URL,
  options: ConnectOptions = {},
): Promise<TestEmulator> {
  const base = baseUrl(url)
  refuseNonsense(options)
  const way = connectionsTo()
  const gate = new ClosedGuard()
  const transport = gate.before(httpTransport(base, way))
  const api = new ControlApi(transport, options.controlToken ?? null)
  try {
    await answers(api, options.readyWithinMs ?? 0)
    await joinSweep(api, { url: base, controlToken: options.controlToken ?? null })
  } catch (error) {
    await way.close()
    throw error instanceof ControlCallRefused ? inMoreWords(error, base, options) : error
  }
  return new TestEmulator({
    api,
    service: { url: base, transport },
    fetch: emulatorFetch(base, way),
    close: () => {
      gate.close()
      return way.close()
    },
  })
}

function refuseNonsense(options: ConnectOptions): void {
  const problem = strayOption(options, optionNames) ?? wrongOption(options)
  if (problem !== null) throw new EmulatorUnreachable(`connectEmulator: ${problem}`)
}

function wrongOption({ controlToken = '', readyWithinMs = 0 }: ConnectOptions): string | null {
  // The token is sent as a header value, so it must be printable ASCII.
  if (typeof controlToken !== 'string' || !/^[\x20-\x7e]*$/.test(controlToken))
    return 'controlToken: expected a string of printable ASCII characters'
  if (typeof readyWithinMs === 'number' && readyWithinMs >= 0) return null
  return `readyWithinMs: expected milliseconds, not ${inspect(readyWithinMs)}`
}

/** @throws EmulatorUnreachable for an invalid URL, such as an unset variable */
function baseUrl(url: unknown): string {
  // A test environment may have a URL class of its own.
  const given = typeof url === 'object' && url !== null && 'href' in url ? url.href : url
  const parsed = typeof given === 'string' ? URL.parse(given) : null
  // Users often copy the dashboard's address, which ends in `/_emulator`.
  if (parsed !== null && /^https?:$/.test(parsed.protocol))
    return `${parsed.origin}${parsed.pathname.replace(/(\/_emulator)?\/*$/, '')}`
  const shown = typeof url === 'string' ? JSON.stringify(url) : String(url)
  throw new EmulatorUnreachable(
    `connectEmulator: expected the base URL of an emulator, like http://localhost:4600, not ${shown}`,
  )
}

const pauseMs = 100

/** Time limit of one connection attempt: a second less than Jest gives a test, so that the attempt's error is shown.
 *  A port that a container has published accepts connections before anything answers. */
const mostMs = 4_000
/** The minimum time for one attempt to connect. */
const leastMs = 1_000

/** Checks that the server is an emulator and accepts the token. */
async function answers(api: ControlApi, readyWithinMs: number): Promise<void> {
  const begun = stopwatch()
  for (;;) {
    const leftMs = () => readyWithinMs - (stopwatch() - begun)
    const tryMs = readyWithinMs === 0 ? mostMs : Math.max(leastMs, Math.min(leftMs(), mostMs))
    try {
      return await answersOnce(api, tryMs)
    } catch (error) {
      if (leftMs() <= 0 || !mayBeStarting(error)) throw error
      await pause(pauseMs)
    }
  }
}

async function answersOnce(api: ControlApi, withinMs: number): Promise<void> {
  const about = await api.call<unknown>('GET', '/about', { withinMs })
  if (typeof about === 'object' && about !== null && 'seed' in about) return
  const refusal = { status: 200, code: null, body: about }
  throw new ControlCallRefused('GET /_emulator/about answered 200 with an unknown body', refusal)
}

/** Whether an error means that the emulator may still be starting: nothing listens, or a gateway says so. */
const mayBeStarting = (error: unknown): boolean =>
  error instanceof EmulatorUnreachable ||
  (error instanceof ControlCallRefused && error.code === null && [502, 503, 504].includes(error.status))

function inMoreWords(refused: ControlCallRefused, base: string, options: ConnectOptions): ControlCallRefused {
  return new ControlCallRefused(`${refused.message} (${hint(refused, base, options)})`, refused)
}

function hint({ status, code }: ControlCallRefused, base: string, { controlToken }: ConnectOptions): string {
  if (code === null) return `the server at ${base} is not an emulator, or a proxy in front of one`
  if (status !== 401) return `from ${base}`
  return controlToken === undefined
    ? "pass its control token: connectEmulator(url, { controlToken: '...' })"
    : 'the controlToken does not match the one that the emulator was started with'
}

/** Adds an emulator that a sweep did not start to the sweep: applies the sweep's behaviours, and writes the
 *  emulator's URL to the record.
 *  @param at the emulator's URL and control token */
async function joinSweep(
  api: ControlApi,
  at: { readonly url: string; readonly controlToken: string | null },
): Promise<void> {
  const file = process.env.EMULATOR_SWEEP
  if (file === undefined || file === '') return
  const { behaviours, record, seed } = JSON.parse(readFileSync(file, 'utf8'))
  const { recording } = await api.call<{ recording: boolean }>('GET', '/sweep')
  if (recording) return
  await api.call('PUT', '/sweep', { body: { behaviours, seed } })
  const line = { connected: at.url, controlToken: at.controlToken, at: wallNow() }
  appendFileSync(record, `${JSON.stringify(line)}\n`)
}

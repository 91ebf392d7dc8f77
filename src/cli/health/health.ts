import { get } from 'node:http'
import { CliError } from '../cli-error.ts'
import { emulatorUrl } from '../emulator-url.ts'
import type { Terminal } from '../terminal.ts'

const patienceMs = 3_000
const shortPatienceMs = 1_000
const maxCharacters = 10_000

/** Runs `health`: asks a running emulator for its health.
 *  @throws CliError */
export async function health(flags: Readonly<Record<string, unknown>>, terminal: Terminal): Promise<number> {
  const url = emulatorUrl(flags.url, terminal.env)
  if (!url.startsWith('http:'))
    throw new CliError(2, 'error: `health` supports http only, not https; use an http URL')
  const answer = await ask(`${url}/_emulator/health`, patienceMs).catch((error: Error) => {
    throw new CliError(1, `${url} does not answer: ${error.message}`)
  })
  const state = stateIn(answer)
  if (state === null) throw new CliError(1, `${url} answers with ${answer.status}, but is not an emulator`)
  const { version, uptimeMs } = state
  terminal.out(
    flags.json === true
      ? JSON.stringify({ status: 'ok', version, uptimeMs })
      : `${url} is healthy: version ${version}, up ${Math.floor(Number(uptimeMs) / 1000)} s`,
  )
  return 0
}

/** The version and pid of the emulator at a URL; null if none answers in time. */
export async function emulatorAt(url: string): Promise<{ version: string; pid: string } | null> {
  const answer = await ask(`${url}/_emulator/health`, shortPatienceMs).catch(() => null)
  const state = answer === null ? null : stateIn(answer)
  return answer === null || state === null ? null : { version: state.version, pid: answer.pid }
}

interface Answer {
  readonly status: number
  /** The pid of the emulator; empty if the answer has no such header. */
  readonly pid: string
  readonly text: string
}

function ask(url: string, withinMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal: AbortSignal.timeout(withinMs), agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > maxCharacters) request.destroy(new Error('the answer is too long'))
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          pid: String(response.headers['emulator-pid'] ?? ''),
          text,
        }),
      )
      response.on('error', reject)
    })
    request.on('error', (error) =>
      reject(error.name === 'AbortError' ? new Error(`no answer within ${withinMs} ms`) : error),
    )
  })
}

function stateIn({ status, text }: Answer): { version: string; uptimeMs: unknown } | null {
  try {
    const { status: word, version, uptimeMs } = JSON.parse(text)
    return status === 200 && word === 'ok' ? { version: String(version), uptimeMs } : null
  } catch {
    return null
  }
}

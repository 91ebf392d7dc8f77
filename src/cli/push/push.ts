import { basename } from 'node:path'
import { oneLine } from '../../domain/text/issue-words.ts'
import { sentText } from '../../domain/text/limits.ts'
import { idOf } from '../../lifecycle/scenarios/built-in.ts'
import { type CheckedFile, checkFiles, problemLines } from '../check/check.ts'
import { CliError } from '../cli-error.ts'
import { controlCall, nobodyAnswers, Refused, Unreachable } from '../control-call.ts'
import { type ControlAccess, controlAccess } from '../emulator-url.ts'
import { shellQuote } from '../program-call.ts'
import type { Terminal } from '../terminal.ts'

/** The result of sending one file to the emulator. */
interface Pushed {
  readonly file: string
  readonly kind: string
  readonly ok: boolean
  /** The id of the object in the emulator, or the reason of the refusal. */
  readonly id?: string
  readonly message?: string
}

/** Runs `push`: sends files to a running emulator; none if one of them is wrong.
 *  @throws CliError */
export async function push(
  paths: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const access = controlAccess(flags, terminal.env)
  const files = checkFiles(paths, terminal, sentText)
  const unsendable = files.find(({ kind }) => ways[kind] === undefined)
  if (unsendable !== undefined) {
    throw new CliError(
      2,
      `error: ${oneLine(unsendable.file)} is a ${unsendable.kind} file, which \`push\` cannot send; ${useOf(unsendable)}`,
    )
  }
  const wrong = files.filter(({ problems }) => problems.length > 0)
  if (wrong.length > 0) {
    if (flags.json === true) for (const file of wrong) terminal.out(JSON.stringify(unsent(file)))
    throw new CliError(1, `${problemLines(wrong, terminal)}; nothing was sent`)
  }
  const results: Pushed[] = []
  // Scenarios before fixtures: the orders of a fixture may use them.
  for (const file of files.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))) {
    const result = await sendOne(file, { ...access, replace: flags.replace === true })
    terminal.out(flags.json === true ? JSON.stringify(result) : resultLine(result))
    results.push(result)
  }
  return results.every(({ ok }) => ok) ? 0 : 1
}

const useOf = ({ kind, file }: CheckedFile): string =>
  kind === 'conform'
    ? `use it with \`conform ${oneLine(shellQuote(file))}\``
    : 'start the emulator with --settings'

/** Builds the `--json` result of a file that was not sent because it is wrong. */
const unsent = ({ file, kind, problems }: CheckedFile): Pushed => ({
  file,
  kind,
  ok: false,
  message: problems.map(({ line, column, message }) => `${line}:${column}: ${message}`).join('; '),
})

interface PushAccess extends ControlAccess {
  readonly replace: boolean
}

/** How each kind of file is sent, in the order of sending. Each returns the id. */
const ways: Readonly<Record<string, (file: CheckedFile, access: PushAccess) => Promise<string>>> = {
  scenario: async ({ file, text }, access) => {
    const id = idOf(file)
    await controlCall(access, 'PUT', `/scenarios/${encodeURIComponent(id)}`, { type: yamlType, text })
    return id
  },
  fixture: async ({ file, text }, access) => {
    const query = new URLSearchParams({ file: basename(file).slice(0, 200), replace: String(access.replace) })
    await controlCall(access, 'POST', `/fixtures?${query}`, { type: yamlType, text })
    return idOf(file)
  },
}

const order = Object.keys(ways)
const yamlType = 'application/yaml'

async function sendOne(file: CheckedFile, access: PushAccess): Promise<Pushed> {
  const about = { file: file.file, kind: file.kind }
  try {
    return { ...about, ok: true, id: (await ways[file.kind]?.(file, access)) ?? '' }
  } catch (error) {
    if (error instanceof Refused) return { ...about, ok: false, message: error.message }
    if (!(error instanceof Unreachable)) throw error
    throw nobodyAnswers(access.url, error)
  }
}

function resultLine({ file, kind, ok, id, message = '' }: Pushed): string {
  const name = oneLine(file, 300)
  return ok ? `${name}: ${kind} ${id} loaded` : `${name}: rejected: ${oneLine(message)}`
}

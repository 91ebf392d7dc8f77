import { join } from 'node:path'
import * as z from 'zod'
import { testKinds } from '../../domain/keep/tests/kept-test.ts'
import { didYouMean, oneLine, orList, shown } from '../../domain/text/issue-words.ts'
import { CliError } from '../cli-error.ts'
import { controlCall, nobodyAnswers, Refused, Unreachable } from '../control-call.ts'
import { type ControlAccess, controlAccess } from '../emulator-url.ts'
import { writeNew } from '../output-files.ts'
import type { Terminal } from '../terminal.ts'

const keptAnswer = z.object({
  id: z.string(),
  file: z.string(),
  yaml: z.string(),
  testFile: z.string(),
  test: z.string(),
  notes: z.array(z.string()),
})

/** Runs `keep`: writes an order of a running emulator as a scenario file, and a test if asked.
 *  @throws CliError */
export async function keep(
  orderId: string,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const access = controlAccess(flags, terminal.env)
  const wanted = testKindIn(flags.test)
  const folder = typeof flags.out === 'string' ? flags.out : '.'
  const { id, file, yaml, testFile, test, notes } = await kept(orderId, wanted, access)
  const texts = [
    { path: join(folder, file), text: yaml },
    ...(wanted === undefined ? [] : [{ path: join(folder, testFile), text: test }]),
  ]
  writeNew(texts, flags.force === true)
  const files = texts.map(({ path }) => path)
  if (flags.json === true) terminal.out(JSON.stringify({ id, files, notes }))
  else
    for (const line of [...files, ...notes.map((note) => `note: ${oneLine(note, 400)}`)]) terminal.out(line)
  return 0
}

function testKindIn(flag: unknown) {
  if (flag === undefined) return undefined
  const kind = testKinds.find((known) => known === flag)
  if (kind !== undefined) return kind
  const hint = didYouMean(String(flag), testKinds)
  throw new CliError(2, `error: --test: expected ${orList([...testKinds])}, not ${shown(flag)}${hint}`)
}

async function kept(orderId: string, test: string | undefined, access: ControlAccess) {
  try {
    // Without a test the call answers with YAML alone, so one is always asked for.
    const path = `/orders/${encodeURIComponent(orderId)}/scenario?test=${test ?? testKinds[0]}`
    return keptAnswer.parse(await controlCall(access, 'GET', path))
  } catch (error) {
    if (error instanceof Refused) throw new CliError(1, `error: ${oneLine(error.message)}`)
    if (error instanceof Unreachable) throw nobodyAnswers(access.url, error)
    throw error
  }
}

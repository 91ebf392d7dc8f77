import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { completedProgram } from '../../src/cli/completion/completed-program.ts'
import { programOf, run } from '../../src/cli/program.ts'
import { aFolder } from '../support/folder.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { zshAsker } from './zsh-asker.ts'

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0

async function scriptFor(shell: string): Promise<string> {
  const terminal = new FakeTerminal()
  expect(await run(['completion', shell], terminal)).toBe(0)
  return terminal.output.join('\n')
}

/** A typed line, with proposals that must or must not appear. */
const cases: readonly [line: string, there: readonly string[], notThere: readonly string[]][] = [
  ['', ['serve', 'exec', 'completion', 'help'], ['--port']],
  ['ex', ['exec', 'explain'], ['serve']],
  ['--l', ['--log'], ['--port']],
  ['--log ', ['pretty', 'json', 'silent'], ['serve']],
  ['serve --clock ', ['real', 'manual'], ['pretty']],
  ['exec --log j', ['json'], ['pretty']],
  ['explain fail-90', ['fail-9004', 'fail-9005'], ['happy']],
  ['explain --kind ', ['checkout', 'crypto-payin'], ['order']],
  ['wait --for ', ['order', 'delivery', 'request'], ['checkout']],
  ['sign --form ', ['short', 'with-currency'], ['checkout']],
  ['listen --no', ['--no-register'], ['--port']],
  ['check a-', ['a-file.yaml'], ['serve']],
  ['conform --only K0', ['K01', 'K08'], ['K20']],
  ['explore --near a-', ['a-file.yaml'], ['serve']],
  ['sweep --only webhook-l', ['webhook-late', 'webhook-lost'], ['webhook-twice']],
  ['sweep --q', ['--quick'], ['--json']],
  ['push --replace a-', ['a-file.yaml'], ['serve']],
  ['check --js', ['--json'], ['--port']],
  ['completion ', ['bash', 'zsh', 'fish'], ['serve']],
  ['help sta', ['status'], ['serve']],
  ['--fixtures ', ['busy-merchant', 'a-file.yaml'], ['happy']],
  ['--vers', ['--version'], ['--port']],
  ['exec -- chmo', ['chmod'], ['--log']],
  ['sweep -- chmo', ['chmod'], ['--only']],
]

/** Of bash it takes a package that is not everywhere. */
const casesOfOtherShells: typeof cases = [
  ...cases,
  ['exec -- payment-order-emulator sta', ['status'], ['stat']],
]

function folderWith(script: string): string {
  const folder = aFolder()
  writeFileSync(join(folder, 'script'), script)
  writeFileSync(join(folder, 'a-file.yaml'), '')
  return folder
}

/** Asks all at once: a shell is slow to start. */
function answersOf(shell: string, script: string, folder: string, args: readonly string[] = []): string[][] {
  const configured = { fish: ['--no-config'], zsh: ['-f'] }[shell] ?? []
  const out = execFileSync(shell, [...configured, '-c', script, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm' },
    timeout: 20_000,
  })
  return out
    .split('--next--\n')
    .slice(1)
    .map((part) => part.split('\n').filter((line) => line !== ''))
}

test('bash completes', async () => {
  const script = cases.map(([line]) => {
    const words = ['payment-order-emulator', ...line.split(' ')]
    return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
echo --next--; _payment_order_emulator; printf '%s\\n' "\${COMPREPLY[@]}"`
  })
  const folder = folderWith(await scriptFor('bash'))
  expectProposals(cases, answersOf('bash', `source ./script\n${script.join('\n')}`, folder))
})

test('bash takes --log=json apart, and so is it put together', async () => {
  const folder = folderWith(await scriptFor('bash'))
  const ask = (words: string, at: number) =>
    `COMP_WORDS=(${words}); COMP_CWORD=${at}; echo --next--; _payment_order_emulator; printf '%s\\n' "\${COMPREPLY[@]}"`
  const script = `source ./script\n${ask('x serve --log = j', 4)}\n${ask('x serve --log =', 3)}`
  expect(answersOf('bash', script, folder)).toEqual([['json'], ['pretty', 'json', 'silent']])
})

test.runIf(has('fish'))(
  'fish completes',
  async () => {
    const script = casesOfOtherShells.map(
      ([line]) => `echo --next--; complete -C 'payment-order-emulator ${line}' | string split -f 1 \\t`,
    )
    const folder = folderWith(await scriptFor('fish'))
    // A flag is proposed only where a dash has been typed already.
    expectProposals(casesOfOtherShells, answersOf('fish', `source ./script\n${script.join('\n')}`, folder))
  },
  20_000,
)

test.runIf(has('zsh'))(
  'zsh completes',
  async () => {
    const folder = folderWith(await scriptFor('zsh'))
    const lines = casesOfOtherShells.map(([line]) => line)
    expectProposals(casesOfOtherShells, answersOf('zsh', zshAsker, folder, ['zsh', ...lines]))
  },
  20_000,
)

function expectProposals(asked: typeof cases, answers: readonly (readonly string[])[]): void {
  for (const [index, [line, there, notThere]] of asked.entries()) {
    const proposals = answers[index] ?? []
    expect(proposals, line).toEqual(expect.arrayContaining([...there]))
    for (const word of notThere) expect(proposals, line).not.toContain(word)
  }
}

let program: ReturnType<typeof completedProgram>
beforeAll(() => {
  program = completedProgram(
    programOf(new FakeTerminal(), () => {}),
    { scenarios: ['happy'], fixtures: [], cases: ['K01'], behaviours: ['webhook-twice'] },
  )
})

test('every value is a closed set, files, or known to be open', () => {
  const open = program.commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) => (flag.value?.type === 'open' ? [`${name} ${flag.name}`] : [])),
  )
  const free =
    /--(port|host|start-time|seed|client-id|client|api-secret|access-token|webhook-secret|webhook-url|control-token|allowed-host|webhook-allow|public-url|url|forward|answer|amount|secret|where|timeout|settle|patience|polling|require-seen|prove|coverage-min|jobs|id|timestamp|story|probe|currency|time|stories|acts|without|at-once|times)$/
  expect(open.filter((each) => !free.test(each))).toEqual([])
})

test('a shell that there is not is wrong usage', async () => {
  const terminal = new FakeTerminal()
  expect(await run(['completion', 'tcsh'], terminal)).toBe(2)
  expect(terminal.errors.join()).toContain('Allowed choices are bash, zsh, fish')
})

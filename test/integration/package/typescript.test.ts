import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { aProject, type Project } from '../support/project.ts'
import { run } from '../support/run.ts'
import { installed } from './support/installed.ts'

const root = join(import.meta.dirname, '../../..')
const compilers = { 'TypeScript 6': '@typescript/old', 'TypeScript 7': 'typescript' }

const asUsed = `
  import { connectEmulator, ServiceCallRefused, startEmulator } from 'payment-order-emulator'
  import type { TestClient, TestEmulator } from 'payment-order-emulator'
  import * as library from 'payment-order-emulator'
  import { conform, ConformTests } from 'payment-order-emulator/conform'
  import type { ConformConfig } from 'payment-order-emulator/conform'

  export async function verdicts(emulator: TestEmulator): Promise<string[]> {
    const config: ConformConfig = { start: () => 'r1', probe: () => ({ status: 'CREATED', effects: 0 }) }
    const tests = new ConformTests(() => ({ emulator, config }))
    await tests.check(tests.cases[0]?.id ?? 'K01')
    const { cases } = await conform(emulator, config, { only: ['K01'] })
    // @ts-expect-error a probe answers a status
    await conform(emulator, { probe: () => ({ effects: 0 }) })
    return cases.map(({ verdict }) => verdict)
  }

  export async function anOrder(): Promise<string> {
    await using emulator = await startEmulator({ clock: 'manual' })
    const client: TestClient = await emulator.createClient({ webhookUrl: 'http://localhost:3000' })
    const order = await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'a@example.com' })
    const ledger = await client.clock.advance('10m')
    return order.status + ledger.transitions.length
  }

  export const remote: Promise<TestEmulator> = connectEmulator('http://localhost:4600', { controlToken: 'a' })

  export async function wrong(emulator: TestEmulator, client: TestClient): Promise<void> {
    // @ts-expect-error the option is called clock
    await startEmulator({ clok: 'manual' })
    // @ts-expect-error amounts are text
    await client.createCheckoutOrder({ fiatAmount: 10, email: 'a@example.com' })
    // @ts-expect-error there is no such scenario choice
    await emulator.createClient({ defaultScenarios: 'happy' })
    // @ts-expect-error clients are made by an emulator
    new library.TestClient()
    // @ts-expect-error an any would take it
    const text: string = new ServiceCallRefused('', { status: 1, code: null, body: null, diagnosis: null })
  }`

let project: Project
beforeAll(async () => {
  project = aProject()
  const from = await installed()
  symlinkSync(join(from.path, 'node_modules'), join(project.path, 'node_modules'))
})

test.for(Object.entries(compilers))(
  '%s finds the types, both ways and without any package beside',
  async ([, compiler]) => {
    project.write({ 'use.mts': asUsed, 'use.cts': asUsed, 'tsconfig.json': settings({ types: [] }) })
    expect(await compile(compiler, project)).toEqual({ code: 0, out: '', err: '' })
  },
)

test.for(['es2018', 'es2022'])(
  'they get on with the types of Node in a project for %s without those of browsers',
  async (language) => {
    const withNode = aProject()
    cpSync(
      join(project.path, 'node_modules', 'payment-order-emulator'),
      join(withNode.path, 'node_modules', 'payment-order-emulator'),
      { recursive: true, dereference: true },
    )
    for (const name of ['@types/node', 'undici-types'])
      cpSync(join(root, 'node_modules', name), join(withNode.path, 'node_modules', name), { recursive: true })
    withNode.write({
      'use.mts': asUsed,
      'use.cts': asUsed,
      'tsconfig.json': settings({ types: ['node'], lib: [language], target: language }),
    })
    expect(await compile('typescript', withNode)).toEqual({ code: 0, out: '', err: '' })
  },
)

/** Fields of which the published type says more than the schema, or less. */
const apartFrom = new Map([
  // It distinguishes the effects.
  ['FaultRequest', "'effect'"],
  // Settings are objects of any fields.
  ['Snapshot', "'common' | 'clients' | 'orders' | 'deliveries' | 'requests'"],
])

test('what an API takes and answers has the type that its schema has', async () => {
  const source = readFileSync(join(root, 'src/testing/shapes.ts'), 'utf8')
  const names = [...source.matchAll(/^export type (?:\{ )?(\w+)/gm)].map(([, name = '']) => name)
  expect(names).toContain('Order')
  const lines = names.map((name) => {
    const apart = `Omit<it.${name}, ${apartFrom.get(name)}>`
    const type = apartFrom.has(name) ? apart : `it.${name}`
    const [from, to] = ['published.', 'schemas.'].map((module) => type.replace('it.', module))
    return `export const ${name} = (it: ${from}): ${to} => it`
  })
  project.write({
    'use.mts': [
      `import type * as published from 'payment-order-emulator'`,
      `import type * as schemas from ${JSON.stringify(join(root, 'src/index.ts'))}`,
      ...lines,
    ].join('\n'),
    'tsconfig.json': JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
      include: ['use.mts'],
    }),
  })
  expect(await compile('typescript', project)).toEqual({ code: 0, out: '', err: '' })
})

const settings = (options: object) =>
  JSON.stringify({
    compilerOptions: {
      ...{ module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: false, noEmit: true },
      ...options,
    },
  })

const compile = (compiler: string, { path }: Project) =>
  run(process.execPath, [join(root, 'node_modules', compiler, 'bin', 'tsc'), '-p', '.'], { cwd: path })

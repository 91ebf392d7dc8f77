import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readServeOptions } from '../../src/cli/serve/options.ts'
import { start } from '../../src/cli/serve/start.ts'
import { clientVariables } from '../../src/pages/client-commands.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const silent = { event: () => {}, error: () => {} }
const guide = read('docs/how-to/ci.md')

const files = globSync('examples/ci/**/*.{yml,yaml,ts,py,java}', {
  cwd: root,
  exclude: ['**/node_modules/**'],
})
const manifests = files.filter((file) => /\.ya?ml$/.test(file))
/** The manifests that start a container and pass its address to an application. */
const containers = manifests.filter((file) => /EMULATOR_CLIENT_ID/.test(read(file)))

test('the guide shows every recipe', () => {
  const shown = [...guide.matchAll(/<!-- file: (\S+) -->/g)].map(([, file]) => file)
  expect(shown.toSorted()).toEqual(files.toSorted())
})

test('the image has one name everywhere, the one that the guide says how to build', () => {
  const images = files.flatMap((file) => read(file).match(/[\w./-]*payment-order-emulator:[\w.-]+/g) ?? [])
  const [version] = /"version": "[^"]+"/.exec(read('package.json')) ?? []
  const image = `registry.example.com/payment-order-emulator:${version?.slice(12, -1)}`
  expect(new Set(images)).toEqual(new Set([image]))
  expect(guide).toContain(`docker push ${image}\n`)
})

describe.each(containers)('%s', (file) => {
  const { emulator, application } = variablesOf(parseAllDocuments(read(file)).map((each) => each.toJS()))

  test('what the emulator is started with, it takes', () => {
    expect(() => readServeOptions({}, emulator)).not.toThrow()
  })

  test('the application is told the credentials that the emulator has', async () => {
    // A Deployment has its application elsewhere.
    if (Object.keys(application).length === 0) return expect(file).toMatch(/deployment\.yaml$/)
    const { config } = readServeOptions({}, { ...emulator, EMULATOR_PORT: '0' })
    const running = await start(config, silent)
    onTestFinished(() => running.close())
    const url = emulator.EMULATOR_URL ?? ''
    expect(application).toEqual(clientVariables(url, running.emulator.demoClient()))
  })
})

/** The variables of both sides, wherever a file sets them: as a mapping, or as a list of names and values. */
function variablesOf(node: unknown): Record<'emulator' | 'application', Record<string, string>> {
  const found = { emulator: {}, application: {} }
  const keep = (name: string, value: unknown) => {
    if (name.startsWith('EMULATOR_')) Object.assign(found.emulator, { [name]: value })
    if (name.startsWith('PAYMENT_ORDER_')) Object.assign(found.application, { [name]: value })
  }
  const look = (each: unknown) => {
    if (typeof each !== 'object' || each === null) return
    const members = Object.entries(each)
    const { name, value } = Object.fromEntries(members)
    if (typeof name === 'string' && typeof value === 'string') keep(name, value)
    for (const [member, below] of members) {
      if (typeof below === 'string') keep(member, below)
      else look(below)
    }
  }
  look(node)
  return found
}

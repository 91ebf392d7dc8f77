import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

/** Parameters of error constructors: callers of the library never use them. */
const internal = ['ControlRefusal', 'ServiceRefusal']

test('docs/reference/library.md describes everything that the library exports', () => {
  const page = read('docs/reference/library.md')
  const exported = [...read('src/index.ts').matchAll(/\{([^}]*)\} from/g)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => /\w+$/.exec(name.trim())?.[0] ?? []),
  )
  expect(exported.length).toBeGreaterThan(40)
  const missing = exported.filter((name) => !internal.includes(name) && !page.includes(`### \`${name}\``))
  expect(missing).toEqual([])
})

import { expect, test } from 'vitest'
import { isObject, type JsonObject } from '../../support/answer.ts'
import { startTestEmulator } from '../../support/emulator.ts'

const documents = ['/openapi.json', '/openapi-control.json']

/** The document at a path, and every schema in it with its place. */
async function read(path: string) {
  const emulator = await startTestEmulator()
  const { json } = await emulator.control(path)
  return { json, schemas: schemasIn(json, '') }
}

test.each(documents)('%s counts in 64 bits wherever 32 may not be enough', async (path) => {
  const { schemas } = await read(path)
  const integers = schemas.filter(([, { type }]) => [type].flat().includes('integer'))
  expect(integers.length).toBeGreaterThan(0)
  const small = integers.filter(
    ([, { format, maximum }]) => format !== 'int64' && !(Number(maximum) < 2 ** 31),
  )
  expect(small.map(([place]) => place)).toEqual([])
})

test.each(documents)('%s bounds no number by what JavaScript holds', async (path) => {
  const { schemas } = await read(path)
  const bounds = schemas.flatMap(([, { minimum, maximum }]) => [minimum, maximum])
  expect(bounds.filter((bound) => Math.abs(Number(bound)) === Number.MAX_SAFE_INTEGER)).toEqual([])
})

test.each(documents)('%s has no schema that refers to itself', async (path) => {
  const { json } = await read(path)
  const named = Object.entries(Object(json.components).schemas)
  const selves = named.filter(([name, schema]) =>
    JSON.stringify(schema).includes(`"#/components/schemas/${name}"`),
  )
  expect(selves.map(([name]) => name)).toEqual([])
})

test.each(documents)('%s says of every list what is in it', async (path) => {
  const { schemas } = await read(path)
  const lists = schemas.filter(([, { type }]) => [type].flat().includes('array'))
  expect(lists.length).toBeGreaterThan(0)
  expect(lists.filter(([, list]) => !('items' in list)).map(([place]) => place)).toEqual([])
})

test.each(documents)(
  '%s gives members that have no name no type that named ones may not have',
  async (path) => {
    const { schemas } = await read(path)
    const mixed = schemas.filter(([, { properties, additionalProperties }]) =>
      properties === undefined ? false : Object.keys(Object(additionalProperties)).length > 0,
    )
    expect(mixed.map(([place]) => place)).toEqual([])
  },
)

test.each(documents)('%s names no schema as languages name things of their own', async (path) => {
  const { json } = await read(path)
  const names = Object.keys(Object(json.components).schemas)
  const taken = [
    'Error',
    'Exception',
    'Object',
    'String',
    'List',
    'Map',
    'Date',
    'Any',
    'Response',
    'Request',
  ]
  expect(names.filter((name) => taken.includes(name) || !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([])
})

test('a list’s limit is a number, a yes or no is a boolean, and every page has a name', async () => {
  const { json } = await read('/openapi-control.json')
  const paths = Object(json.paths)
  const parameter = (path: string, wanted: string) =>
    paths[path].get.parameters.find(({ name }: JsonObject) => name === wanted).schema
  expect(parameter('/_emulator/orders', 'limit')).toMatchObject({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
  })
  expect(parameter('/_emulator/faults', 'over')).toMatchObject({ type: 'boolean' })
  expect(paths['/_emulator/orders'].get.responses[200].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/OrderPage',
  })
  const lists = Object.entries(paths).filter(([, item]) => JSON.stringify(item).includes('"cursor"'))
  for (const [path, item] of lists) {
    const [answer] = Object.values(Object(item).get.responses[200].content)
    expect(Object(answer).schema.$ref, path).toMatch(/Page$/)
  }
})

function schemasIn(value: unknown, place: string): [place: string, schema: JsonObject][] {
  if (Array.isArray(value)) return value.flatMap((each, index) => schemasIn(each, `${place}/${index}`))
  if (!isObject(value)) return []
  const inner = Object.entries(value)
    .filter(([name]) => !['example', 'examples'].includes(name))
    .flatMap(([name, each]) => schemasIn(each, `${place}/${name}`))
  return 'type' in value ? [[place, value], ...inner] : inner
}

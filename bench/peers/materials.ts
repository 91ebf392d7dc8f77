import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Bench } from '../frame/bench.ts'
import type { Server } from '../frame/server.ts'
import { callOf, create, lookup, type RequestShape } from '../load/requests.ts'

const document = z.looseObject({
  components: z.object({
    schemas: z.object({
      CheckoutRequest: z.looseObject({
        properties: z.record(z.string(), z.looseObject({ type: z.string(), pattern: z.string().optional() })),
      }),
    }),
  }),
})

/** What the peers start with, made by the emulator once, before the first round. */
export interface Materials {
  /** A file with the OpenAPI document of the service. */
  readonly openApi: string
  /** JSON Schema of a create call's body, out of that document. */
  readonly bodySchema: z.infer<typeof document>['components']['schemas']['CheckoutRequest']
  /** Answers of the emulator, for tools that always give the same. */
  readonly answers: { readonly create: unknown; readonly lookup: unknown }
  /** Databases of the emulator by the number of orders in them. */
  readonly databases: ReadonlyMap<number, string>
}

/** @param folder must stay as long as they are needed
 *  @param counts numbers of orders that databases are to be made with */
export async function makeMaterials(folder: string, counts: readonly number[]): Promise<Materials> {
  const databases = new Map<number, string>()
  for (const count of counts) {
    const file = join(folder, `${count}.db`)
    await fill(file, count)
    databases.set(count, file)
  }
  await using bench = new Bench(false, () => {})
  const server = await bench.emulator()
  const text = await (await fetch(`${server.url}/_emulator/openapi.json`)).text()
  const openApi = join(folder, 'openapi.json')
  writeFileSync(openApi, text)
  const { CheckoutRequest } = document.parse(JSON.parse(text)).components.schemas
  const answers = { create: await answerTo(server, create), lookup: await answerTo(server, lookup) }
  return { openApi, bodySchema: CheckoutRequest, answers, databases }
}

/** Makes a database with the orders from number 0 on. */
async function fill(database: string, count: number): Promise<void> {
  await using bench = new Bench(false, () => {})
  const server = await bench.emulator({ database })
  await bench.store(server, count)
  await server.stop()
}

/** What the server answers to the request with number 0. */
async function answerTo({ url }: Server, shape: RequestShape): Promise<unknown> {
  const { method, path, headers, body } = callOf(shape, 0)
  const answer = await fetch(url + path, { method, headers, body: body === '' ? null : body })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

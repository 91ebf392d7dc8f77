import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Bench } from '../frame/bench.ts'
import { callOf, create } from '../load/requests.ts'

const specification = z.object({
  components: z.object({
    schemas: z.object({
      CheckoutRequest: z.object({
        properties: z.record(z.string(), z.object({ pattern: z.string().optional() })),
      }),
    }),
  }),
})

/** The emulator's answers to a create call, for tools that imitate it. */
export interface Materials {
  /** A file with the OpenAPI document of the service. */
  readonly openApi: string
  /** The fields of the body, with their patterns. */
  readonly fields: Readonly<Record<string, { readonly pattern?: string | undefined }>>
  /** An answer to a create call. */
  readonly answer: string
}

export async function materialsOf(bench: Bench): Promise<Materials> {
  const server = await bench.emulator()
  const text = await (await fetch(`${server.url}/_emulator/openapi.json`)).text()
  const openApi = join(bench.folder, 'openapi.json')
  writeFileSync(openApi, text)
  const { method, path, headers, body } = callOf(create, bench.newOrders(1))
  const created = await fetch(server.url + path, { method, headers, body })
  const answer = await created.text()
  if (!created.ok) throw new Error(`${method} ${path}: ${created.status} ${answer}`)
  await server.stop()
  const { properties } = specification.parse(JSON.parse(text)).components.schemas.CheckoutRequest
  return { openApi, fields: properties, answer }
}

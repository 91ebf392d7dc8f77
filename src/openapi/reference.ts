import type { ZodOpenApiObject } from 'zod-openapi'
import type { OperationSpec } from '../api/call.ts'
import type { Reference } from '../control/parts.ts'

/** The documents about both APIs, made when they are first asked for: no start has to wait for them.
 *  @param operations those of the service that are served now; a setting may change them */
export function reference(operations: () => readonly OperationSpec[]): Reference {
  let control: Promise<string> | undefined
  const services = new Map<string, Promise<string>>()
  const documents = {
    service: () => {
      const served = operations()
      const key = served.map(({ path }) => path).join()
      const made = services.get(key) ?? writtenService(served)
      services.set(key, made)
      return made
    },
    control: () => {
      control ??= writtenControl()
      return control
    },
  }
  return {
    ...documents,
    page: async (origin) => {
      const { referencePage } = await import('../pages/reference/page.tsx')
      const [service, control] = await Promise.all([documents.service(), documents.control()])
      return referencePage({ service, control }, origin)
    },
    style: async () => (await import('../pages/reference/style.ts')).referenceStyle,
  }
}

async function writtenService(operations: readonly OperationSpec[]): Promise<string> {
  const { serviceDocument } = await import('./service-document.ts')
  return written(serviceDocument(operations))
}

async function writtenControl(): Promise<string> {
  const { controlDocument } = await import('./control-document.ts')
  return written(controlDocument())
}

async function written(document: ZodOpenApiObject): Promise<string> {
  const { described } = await import('./described.ts')
  return JSON.stringify(described(document))
}

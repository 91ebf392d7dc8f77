import type { OperationSpec } from '../../api/call.ts'
import type { Reference } from '../../control/parts.ts'

/** The documents of both APIs, built when first requested, so that no start waits for them.
 *  @param operations the served operations, which a setting may change */
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
    page: async (origin, wanted) => {
      const { referencePage } = await loaded()
      const [service, control] = await Promise.all([documents.service(), documents.control()])
      return referencePage({ service, control }, origin, wanted)
    },
    style: async () => (await loaded()).referenceStyle,
  }
}

async function writtenService(operations: readonly OperationSpec[]): Promise<string> {
  const { described, serviceDocument } = await loaded()
  return JSON.stringify(described(serviceDocument(operations)))
}

async function writtenControl(): Promise<string> {
  const { controlDocument, described } = await loaded()
  return JSON.stringify(described(controlDocument()))
}

const loaded = () => import('./documents.ts')

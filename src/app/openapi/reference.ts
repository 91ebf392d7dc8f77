import type { OperationSpec } from '../../api/call.ts'
import type { Reference } from '../../control/parts.ts'
import type { Settings } from '../../domain/choices/settings.ts'
import { picked } from '../../domain/text/objects.ts'
import { readingSettings } from '../../domain/webhook/read-events.ts'
import type { DocumentSettings } from './service.ts'

/** The documents of both APIs, built when first requested, so that no start waits for them.
 *  @param operations the served operations, which a setting may change
 *  @param settings the settings of all clients */
export function reference(operations: () => readonly OperationSpec[], settings: () => Settings): Reference {
  let control: Promise<string> | undefined
  let latest: { readonly key: string; readonly document: Promise<string> } | undefined
  const documents = {
    service: () => {
      const served = operations()
      const now = settings()
      const key = JSON.stringify([served.map(({ path }) => path), picked(now, followedSettings)])
      if (latest?.key !== key) latest = { key, document: writtenService(served, now) }
      return latest.document
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

async function writtenService(operations: readonly OperationSpec[], settings: Settings): Promise<string> {
  const { described, serviceDocument } = await loaded()
  return JSON.stringify(described(serviceDocument(operations, settings)))
}

async function writtenControl(): Promise<string> {
  const { controlDocument, described } = await loaded()
  return JSON.stringify(described(controlDocument()))
}

/** The settings that the document follows. */
const followedSettings = [
  ...readingSettings,
  'webhook.headers',
  'webhook.auth',
  'webhook.signature',
  'webhook.jwt',
  'webhook.jwtAlgorithm',
  'errors.template',
  'errors.validationTemplate',
  'errors.validationStatus',
] as const satisfies readonly (keyof DocumentSettings)[]

const loaded = () => import('./documents.ts')

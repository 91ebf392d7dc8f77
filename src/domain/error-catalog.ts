import type { Settings } from './choices.ts'
import type { ErrorReason } from './order.ts'

/** The codes that the interface document shows, with its words; 9005 stands there without any (N35). */
const documented = new Map([
  ['7001', 'Order already exists for given requestId'],
  ['9004', 'Error occurred while the payment was processed by the payment partner'],
  ['9005', 'Description not shown in the interface document'],
  ['9006.1', 'There was an issue with Refund transaction.'],
])

/** The codes that the interface document shows. */
export const documentedErrorCodes: readonly string[] = [...documented.keys()]

/** The code of a failure that names none (N67). */
export const defaultErrorCode = '9004'

/** What a record's `errorReason` says for a code; codes the catalogue lacks are passed on without a story. */
export function errorReason(errorCode: string, settings: Settings): ErrorReason {
  const own = settings['errors.catalog']
  const errorDesc = Object.hasOwn(own, errorCode) ? own[errorCode] : documented.get(errorCode)
  return { errorCode, errorDesc: errorDesc ?? 'Description not shown in the interface document' }
}

/** All codes that have a description. */
export function knownErrorCodes(settings: Pick<Settings, 'errors.catalog'>): string[] {
  return [...new Set([...documented.keys(), ...Object.keys(settings['errors.catalog'])])]
}

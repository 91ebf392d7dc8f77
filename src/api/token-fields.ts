import * as z from 'zod'
import { type Checked, check } from '../domain/problems.ts'
import { ownTokenCall } from './token-call.ts'

/** What checks the members of a request at the emulator's own path. */
export function ownFieldsCheck(): (value: unknown) => Checked<Readonly<Record<string, string>>> {
  return (value) => check(ownTokenCall.body, value)
}

/** What checks those of a request at the operator's path, under its names. It may have more (a grant type, a scope), which
 *  is not looked at. */
export function fieldsCheck(names: {
  readonly clientIdField: string
  readonly apiSecretField: string
}): (value: unknown) => Checked<Readonly<Record<string, string>>> {
  const schema = z.object({ [names.clientIdField]: z.string(), [names.apiSecretField]: z.string() })
  return (value) => check(schema, value)
}

/** Checks the query at the emulator's own path. */
export function checkedQuery(value: unknown): Checked<z.output<typeof ownTokenCall.query>> {
  return check(ownTokenCall.query, value)
}

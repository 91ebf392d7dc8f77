import * as z from 'zod'

/** Any JSON value. Not `z.json()`, which the OpenAPI document could give no name. */
export const anyJson: z.ZodType<z.core.util.JSONType> = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.lazy(() => anyJson)),
    z.record(
      z.string(),
      z.lazy(() => anyJson),
    ),
  ])
  .meta({ id: 'AnyJson' })

/** Whether the numbers in a JSON value are those that were written: larger ones have lost digits or become `Infinity`,
 *  and would be sent on as others or as null. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isInteger(value) ? Number.isFinite(value) : Number.isSafeInteger(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

/** Message for an inexact value. */
export const inexact = 'has a number that is too large to be represented exactly; put it in quotes'

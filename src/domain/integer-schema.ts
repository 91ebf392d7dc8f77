import type { z } from 'zod'

const most32Bits = 2 ** 31 - 1

/** Describes a whole number to languages that have more than one kind of them. Without a format, clients that are
 *  generated for Java or C# count in 32 bits, which hold no epoch milliseconds; what JavaScript can hold is no bound. */
export function describeInteger(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.type !== 'integer') return
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if ((schema.maximum ?? Infinity) > most32Bits) schema.format = 'int64'
}

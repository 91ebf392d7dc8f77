import * as z from 'zod'

/** A page of a list as every list of the control API answers it. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null at the end.' }),
  })

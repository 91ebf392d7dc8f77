import type { z } from 'zod'

/** What a schema takes, as data that nobody changes. */
export type Plain<Schema extends z.ZodType> = ReadonlyAll<z.output<Schema>>

type ReadonlyAll<T> = T extends readonly (infer Item)[]
  ? readonly ReadonlyAll<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadonlyAll<T[Name]> }
    : T

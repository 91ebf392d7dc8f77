import * as z from 'zod'

/** The dotted names of a thing's members. */
export interface MemberNames {
  /** Those that its schema knows. */
  readonly closed: ReadonlySet<string>
  /** Members below which any name may follow: lists, metadata, headers, JSON bodies. */
  readonly open: readonly string[]
  /** Those that are no single value, each with an example of what it has. */
  readonly compound: ReadonlyMap<string, string>
  /** Those of a list's first thing: `attempts.0.outcome`. */
  readonly listed: readonly string[]
}

/** Reads the names off a schema.
 *  @param texts members that are texts and may hold JSON */
export function memberNames(schema: z.ZodObject, texts: readonly string[] = []): MemberNames {
  const closed = new Set<string>()
  const open = [...texts]
  const compound = new Map<string, string>()
  const listed: string[] = []
  const walk = (within: z.ZodObject, prefix: string) => {
    for (const [key, member] of Object.entries(within.shape)) {
      const name = `${prefix}${key}`
      const bare = unwrapped(member)
      closed.add(name)
      if (bare instanceof z.ZodArray) compound.set(name, `${name}.length`)
      if (bare instanceof z.ZodArray && bare.element instanceof z.ZodObject)
        listed.push(...Object.keys(bare.element.shape).map((each) => `${name}.0.${each}`))
      if (bare instanceof z.ZodRecord) compound.set(name, `${name}.<name>`)
      if (bare instanceof z.ZodObject) {
        compound.set(name, `${name}.${Object.keys(bare.shape)[0]}`)
        walk(bare, `${name}.`)
      } else if (isOpen(bare)) open.push(name)
    }
  }
  walk(schema, '')
  return { closed, open, compound, listed }
}

/** A schema without what says that there may be none. */
export function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap())
    : schema
}

const isOpen = (schema: unknown): boolean =>
  schema instanceof z.ZodArray || schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown

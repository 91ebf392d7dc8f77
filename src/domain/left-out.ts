import * as z from 'zod'

type NullName<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodNullable ? Name : never
}[keyof Shape]

type LeftOut<Shape extends z.ZodRawShape, Left> = {
  [Name in keyof Shape]: Name extends Left ? z.ZodExactOptional<Shape[Name]> : Shape[Name]
}

/** The schema of an object without some of its fields, or with them. */
export function leavingOut<Shape extends z.ZodRawShape, Left extends keyof Shape>(
  schema: z.ZodObject<Shape>,
  left: Readonly<Record<Left, unknown>>,
): z.ZodObject<LeftOut<Shape, Left>, z.core.$strict>
export function leavingOut({ shape }: z.ZodObject, left: object): z.ZodObject {
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, name in left ? z.exactOptional(field) : field] as const,
  )
  return z.strictObject(Object.fromEntries(fields))
}

/** The fields of an object that may be null, as null. */
export function nullsOf<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): Readonly<Record<NullName<Shape>, null>>
export function nullsOf({ shape }: z.ZodObject): object {
  const names = Object.keys(shape).filter((name) => shape[name] instanceof z.ZodNullable)
  return Object.fromEntries(names.map((name) => [name, null]))
}

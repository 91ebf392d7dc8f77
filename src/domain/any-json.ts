import { z } from 'zod'

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

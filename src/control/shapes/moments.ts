import * as z from 'zod'

/** A moment of a client's clock, epoch milliseconds. */
export const moment = z.int().meta({ description: 'Epoch milliseconds on the client’s clock.' })

/** A moment of the wall's time, epoch milliseconds. */
export const wallMoment = z.int().meta({ description: 'Epoch milliseconds of wall-clock time.' })

/** A moment, or null. @param description what null means */
export const momentOr = (description: string) =>
  z
    .int()
    .nullable()
    .meta({ description: `Epoch milliseconds on the client’s clock; ${description}` })

import * as z from 'zod'

/** What an error says. */
export const errorMembers = {
  error: z.strictObject({
    code: z.string().meta({ description: 'A stable error code.' }),
    message: z.string().meta({ description: 'What is wrong, where, and what to do.' }),
  }),
}

/** How every error of the control API is told. */
export const error = z.strictObject(errorMembers).meta({ id: 'ControlError' })

import { EmulatorError } from '../domain/errors.ts'

const codes: readonly string[] = ['delivery_exists', 'world_ended']

/** Whether a delivery was refused only for what has happened since it was made: another one took its id, or its world
 *  has ended. Then it is made again. */
export const cameTooLate = (error: unknown): boolean =>
  error instanceof EmulatorError && codes.includes(error.code)

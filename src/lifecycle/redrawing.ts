import { EmulatorError } from '../domain/text/errors.ts'

const mostDraws = 100

/** Decides and commits a new order; again with other random parts in its ids while its orderId is taken (N83).
 *  @param attempt gets the number of draws before
 *  @throws order_id_taken if hardly any id is left */
export async function redrawing<T>(attempt: (draw: number) => Promise<T>): Promise<T> {
  for (let draw = 0; ; draw++) {
    try {
      return await attempt(draw)
    } catch (error) {
      const isTaken = error instanceof EmulatorError && error.code === 'order_id_taken'
      if (!isTaken || draw >= mostDraws) throw error
    }
  }
}

/** One life of a client's world, from the moment that it is made, or emptied, until it is emptied or replaced. What was
 *  decided in it is not for the next one. */
export interface LifeSpan {
  readonly ended: boolean
}

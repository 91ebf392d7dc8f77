/** How often one can be sent by hand in one go. */
export const mostCopies = 50

/** How often a delivery that somebody sends by hand is to leave. What is wrong with it is its plan. */
export interface HandMade {
  /** How often it is sent, with the same id and bytes. */
  readonly copies: number
  /** All copies at the same time, not one after the other. */
  readonly together: boolean
}

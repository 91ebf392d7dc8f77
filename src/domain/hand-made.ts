/** How often one can be sent by hand in one go. */
export const mostCopies = 50

/** How a delivery that somebody sends by hand is to leave: the ways in which a webhook can be wrong. */
export interface HandMade {
  /** Laid over the headers of an ordinary attempt; null takes one away. */
  readonly headers: Readonly<Record<string, string | null>>
  /** `false` leaves the signature out, `wrong` signs with another key, `old` ten minutes ago. */
  readonly sign: boolean | 'wrong' | 'old'
  /** How often it is sent, with the same id and bytes. */
  readonly copies: number
  /** All copies at the same time, not one after the other. */
  readonly together: boolean
  /** Bytes of the body after which the connection is cut. */
  readonly cut?: number | undefined
}

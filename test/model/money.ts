/** An amount in hundredths: `1.5` is 150. */
export const centsOf = (amount: string): number => Math.round(Number(amount) * 100)

/** Hundredths as an amount: 150 is `1.50`. */
export const amountOf = (cents: number): string => (cents / 100).toFixed(2)

/** The amount of an order that has not been refunded, in hundredths. */
export const leftOf = (order: {
  readonly fiatAmount: string
  readonly refunds: readonly { readonly fiatAmount: string }[]
}): number =>
  order.refunds.reduce((left, { fiatAmount }) => left - centsOf(fiatAmount), centsOf(order.fiatAmount))

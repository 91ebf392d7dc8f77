/** An amount in hundredths: `1.5` is 150. */
export const centsOf = (amount: string): number => Math.round(Number(amount) * 100)

/** Hundredths as an amount: 150 is `1.50`. */
export const amountOf = (cents: number): string => (cents / 100).toFixed(2)

/** What of an order has not been given back yet, in hundredths. */
export const leftOf = (order: {
  readonly fiatAmount: string
  readonly refunds: readonly { readonly fiatAmount: string }[]
}): number =>
  order.refunds.reduce((left, { fiatAmount }) => left - centsOf(fiatAmount), centsOf(order.fiatAmount))

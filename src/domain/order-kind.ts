export const orderKinds = ['checkout', 'subscription', 'payout', 'crypto-payin'] as const
export type OrderKind = (typeof orderKinds)[number]

import type { Order } from './order.ts'

type Opened = Pick<Order, 'token' | 'request'>

/** The URL that `mode` asks for, of the payment page or of an app; null without `mode` (R34-R37, N8).
 *  @param base under which the emulator is reached */
export function paymentUrl({ token, request }: Opened, base: string): string | null {
  if (request.mode === undefined) return null
  return request.mode === 'returnUrl' ? `${base}/pay/${token}` : appUrl({ token, request })
}

/** The URL with which a phone would open the app that the payer wants to pay with (N8). */
export function appUrl({ token, request: { targetApp = '' } }: Opened): string {
  return `paymentemulator://pay?token=${token}&app=${encodeURIComponent(targetApp)}`
}

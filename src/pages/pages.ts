import { Hono } from 'hono'
import { createTrustedControl } from '../control/control.ts'
import type { ControlParts } from '../control/parts.ts'
import { createAssets } from './assets.ts'
import { createDashboard } from './dashboard/dashboard.tsx'
import { createPaymentPages } from './payment/payment.ts'

/** All pages for browsers: dashboard, payment page, and their assets. */
export function createPages(parts: ControlParts): Hono {
  return new Hono()
    .route('/pay/assets', createAssets())
    .route('/pay', createPaymentPages(parts))
    .route('/', createDashboard(parts, createTrustedControl(parts)))
}

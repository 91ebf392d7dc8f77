import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { createTrustedControl } from '../control/control.ts'
import type { ControlParts } from '../control/parts.ts'
import { createAssets } from './assets.ts'
import { createDashboard } from './dashboard/dashboard.tsx'
import { createPaymentPages } from './payment/payment.ts'

/** All pages for browsers: dashboard, payment page, and their assets. */
export function createPages(parts: ControlParts): Hono {
  const pagesPath = () => parts.clients.commonSettings['paths.paymentPage']
  return new Hono({ getPath: (request) => usualPath(getPath(request), pagesPath()) })
    .route('/pay/assets', createAssets())
    .route('/pay', createPaymentPages(parts))
    .route('/', createDashboard(parts, createTrustedControl(parts)))
}

/** The path below `/pay` for one below the path that the settings give the payment pages (N84). */
const usualPath = (path: string, pagesPath: string): string =>
  path.startsWith(`${pagesPath}/`) ? `/pay/${path.slice(pagesPath.length + 1)}` : path

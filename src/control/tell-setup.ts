import type { MiddlewareHandler } from 'hono'
import type { ControlParts } from './parts.ts'

/** Below `/_emulator`: what applies to orders and calls that are still to come. */
export const setupPaths = ['/clients/*', '/faults/*', '/scenarios/*', '/settings/*'] as const

/** Tells those who look at the set-up that a call has changed it. */
export const tellSetup =
  ({ feed }: Pick<ControlParts, 'feed'>): MiddlewareHandler =>
  async (c, next) => {
    await next()
    if (!['GET', 'HEAD'].includes(c.req.method) && c.res.ok) feed.tell({ type: 'setup' })
  }

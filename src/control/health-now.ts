import type { ControlParts } from './parts.ts'
import { safeHeaders } from './secured.ts'

/** What `/health` answers. The header names the process to whoever finds its port taken. */
export const healthNow = ({ version, uptimeMs }: Pick<ControlParts, 'version' | 'uptimeMs'>): Response =>
  new Response(JSON.stringify({ status: 'ok', version, uptimeMs: uptimeMs() }), {
    headers: { 'content-type': 'application/json', 'emulator-pid': String(process.pid), ...safeHeaders },
  })

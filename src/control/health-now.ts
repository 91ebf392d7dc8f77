import { safeHeaders } from './answer.ts'
import type { ControlParts } from './parts.ts'

/** Response of `/health`. A header has the process id, for a start that finds its port in use. */
export const healthNow = ({ version, uptimeMs }: Pick<ControlParts, 'version' | 'uptimeMs'>): Response =>
  new Response(JSON.stringify({ status: 'ok', version, uptimeMs: uptimeMs() }), {
    headers: { 'content-type': 'application/json', 'emulator-pid': String(process.pid), ...safeHeaders },
  })

import { safeHeaders } from './answer.ts'
import type { ControlParts } from './parts.ts'

/** The answer of `/health`. Its header has the process id, for a start that finds the port taken. */
export const healthNow = ({ version, uptimeMs }: Pick<ControlParts, 'version' | 'uptimeMs'>): Response =>
  new Response(JSON.stringify({ status: 'ok', version, uptimeMs: uptimeMs() }), {
    headers: { 'content-type': 'application/json', 'emulator-pid': String(process.pid), ...safeHeaders },
  })

import { json } from './json-answer.ts'
import type { ControlParts } from './parts.ts'

/** What `/health` answers. */
export const healthNow = ({ version, uptimeMs }: Pick<ControlParts, 'version' | 'uptimeMs'>): Response =>
  json({ status: 'ok', version, uptimeMs: uptimeMs() })

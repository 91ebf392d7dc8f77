import { appendFileSync, readFileSync } from 'node:fs'
import { wallNow } from '../time/wall.ts'
import type { ControlApi } from './control-api.ts'

/** Under a sweep, has an emulator that runs elsewhere play what the sweep wants, and tells the sweep where it is. The
 *  sweep's own emulators play it already.
 *  @param at its URL, and what its control API asks for */
export async function joinSweep(
  api: ControlApi,
  at: { readonly url: string; readonly controlToken: string | null },
): Promise<void> {
  const file = process.env.EMULATOR_SWEEP
  if (file === undefined || file === '') return
  const { behaviours, record, seed } = JSON.parse(readFileSync(file, 'utf8'))
  const { recording } = await api.call<{ recording: boolean }>('GET', '/sweep')
  if (recording) return
  await api.call('PUT', '/sweep', { body: { behaviours, seed } })
  const line = { connected: at.url, controlToken: at.controlToken, at: wallNow() }
  appendFileSync(record, `${JSON.stringify(line)}\n`)
}

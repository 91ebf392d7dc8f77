// `npm run bench:peers`: the emulator beside tools that somebody might take instead.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isBusy, machineLine } from '../frame/machine.ts'
import { watchOthers } from '../frame/others.ts'
import { type Choice, parseChoice } from './choice.ts'
import { compare } from './comparison.ts'
import { withPeers } from './guide.ts'
import { makeMaterials } from './materials.ts'
import { pageOf } from './page.ts'
import { contenders } from './peers.ts'
import { measureInRounds } from './rounds.ts'

/** Orders at the start: few for all, many for those that keep them. */
const counts = [10, 100_000]
const page = new URL('results.md', import.meta.url)
const guide = new URL('../../docs/performance.md', import.meta.url)
const say = (text: string) => console.error(text)

// For tools that tell their makers of their use, or ask for updates.
Object.assign(process.env, { DO_NOT_TRACK: '1', NO_UPDATE_NOTIFIER: '1' })

// So that a stop ends the tools too, which know nothing of this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))

try {
  await bench(parseChoice(process.argv.slice(2), contenders))
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
}

async function bench({ rounds, peers, record }: Choice): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-peers-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const machine = machineLine(new Date())
  if (isBusy()) say('Something else keeps this machine busy: the results will be worse for it.')
  say('Preparing what the tools start with')
  const materials = await makeMaterials(folder, counts)
  const othersCores = watchOthers()
  const entries = await measureInRounds(peers, counts, rounds, materials, say)
  const groups = new Map([...entries].map(([stored, group]) => [stored, compare(group)]))
  const heading = { machine, rounds, othersCores: othersCores() }
  const text = pageOf(heading, groups)
  console.log(text)
  if (!record) return
  writeFileSync(page, text)
  writeFileSync(guide, withPeers(readFileSync(guide, 'utf8'), heading, groups))
}

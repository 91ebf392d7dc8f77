import { resolve } from 'node:path'
import { driftJunit, driftMarkdown, driftText, learnText } from '../../learn/report/text-reports.ts'
import { driftCaptures, learnCaptures } from '../../learn/work.ts'
import { CliError } from '../cli-error.ts'
import { appendSummary, makeWritable, refuseExisting, writeResult } from '../output-files.ts'
import type { Terminal } from '../terminal.ts'
import { type Flags, readingIn, textIn, usable } from './options.ts'
import { probe } from './probe.ts'
import { learnStory } from './story.ts'

/** Runs `learn`: reads captures, prints what they show, and writes a settings file if asked.
 *  @throws CliError */
export async function learn(captures: readonly string[], flags: Flags, terminal: Terminal): Promise<number> {
  const options = readingIn(flags, terminal.env)
  const isProbe = typeof flags.probe === 'string'
  if (captures.length === 0 && !isProbe)
    throw new CliError(2, 'error: name at least one capture: `learn capture.har webhooks.jsonl`')
  refuseIdle(flags)
  const { story } = flags
  if (typeof story === 'string')
    return usable(() => learnStory(captures, story, { flags, options }, terminal))
  const out = textIn(flags.out)
  if (out !== null) {
    refuseExisting(out, flags.force === true)
    if (captures.some((capture) => resolve(capture) === resolve(out)))
      throw new CliError(
        2,
        `error: ${JSON.stringify(out)} is a capture, which \`--out\` would overwrite; name another file`,
      )
    makeWritable(out)
  }
  const probed = isProbe ? await probe({ ...flags, ...options }, terminal) : null
  try {
    const files = probed === null ? captures : [...captures, probed.file]
    const { report, yaml } = await usable(() => learnCaptures(files, options))
    const named = (text: string) => probed?.named(text) ?? text
    if (out !== null) writeResult(out, named(yaml))
    if (flags.json === true) terminal.out(named(JSON.stringify({ ...report, file: out }, null, 2)))
    else terminal.out(named(learnText(report, out, terminal.colours)))
    return 0
  } finally {
    probed?.remove()
  }
}

/** Refuses flags that would do nothing.
 *  @throws CliError */
function refuseIdle(flags: Flags): void {
  const isProbe = typeof flags.probe === 'string'
  const isStory = typeof flags.story === 'string'
  if (isProbe && isStory) throw new CliError(2, 'error: `--story` reads captures only, without `--probe`')
  if (!isStory && flags.settings !== undefined)
    throw new CliError(2, 'error: `--settings` works only with `--story`')
  const ofProbe = {
    '--yes': 'yes',
    '--capture': 'capture',
    '--access-token': 'accessToken',
    '--currency': 'currency',
  }
  for (const [flag, name] of Object.entries(ofProbe))
    if (!isProbe && flags[name] !== undefined)
      throw new CliError(2, `error: \`${flag}\` works only with \`--probe\``)
}

/** Runs `drift`: compares a settings file with captures.
 *  @throws CliError */
export async function drift(
  settings: string,
  captures: readonly string[],
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  const options = readingIn(flags, terminal.env)
  const junit = textIn(flags.junit)
  const summary = textIn(flags.summary)
  for (const file of [junit, summary]) if (file !== null) makeWritable(file)
  const report = await usable(() => driftCaptures(settings, captures, options))
  // A job that compares nothing would pass for ever.
  if (report.settings.length === 0)
    throw new CliError(
      2,
      `error: ${JSON.stringify(settings)} sets nothing, so there is nothing to compare; \`learn\` finds settings in more traffic`,
    )
  if (junit !== null) writeResult(junit, driftJunit(report))
  appendSummary(summary, driftMarkdown(report), terminal.env)
  if (flags.json === true) terminal.out(JSON.stringify(report, null, 2))
  else terminal.out(driftText(report, terminal.colours))
  return report.counts.contradicted > 0 ? 1 : 0
}

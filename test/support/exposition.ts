/** A metric in a scrape. */
export interface Scraped {
  readonly type: string
  readonly samples: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}

const nameForm = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const sampleForm = new RegExp(`^(${nameForm})(?:\\{(.*)\\})? (\\S+)$`)
const labelForm = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,(?!$)|$)/
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/** Reads the text format of Prometheus (version 0.0.4) as strictly as `promtool check metrics` does. Written here and
 *  not imported, so that the emulator can't prove itself right. @throws {Error} at the first thing that is wrong */
export function parseExposition(text: string): Map<string, Scraped> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, Scraped>()
  let help: string | null = null
  let current: [name: string, family: Scraped] | null = null
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (line === '') continue
    if (keyword === 'HELP') {
      if (rest.trim() === '') throw new Error(`no help for ${name}`)
      help = name
    } else if (keyword === 'TYPE') {
      if (help !== name) throw new Error(`TYPE of ${name} does not follow its HELP`)
      if (families.has(name)) throw new Error(`${name} comes twice`)
      if (!(rest in suffixes)) throw new Error(`${name} has the type ${rest}`)
      current = [name, { type: rest, samples: [] }]
      families.set(...current)
    } else addSample(line, current)
  }
  for (const [name, family] of families) checkFamily(name, family)
  return families
}

function addSample(line: string, current: [string, Scraped] | null): void {
  const [, name = '', labels = '', value = ''] = sampleForm.exec(line) ?? []
  const [family, { type, samples }] = current ?? ['', { type: '', samples: [] }]
  if (!suffixes[type]?.some((suffix) => name === `${family}${suffix}`))
    throw new Error(`not in its place: ${line}`)
  const number = value === '+Inf' ? Infinity : value === '' ? Number.NaN : Number(value)
  // Prometheus reads it in any case.
  if (Number.isNaN(number) && value.toLowerCase() !== 'nan') throw new Error(`no number: ${line}`)
  const read = labelsOf(labels)
  const same = samples.some(
    (each) => each.name === name && JSON.stringify(each.labels) === JSON.stringify(read),
  )
  if (same) throw new Error(`the same labels twice: ${line}`)
  samples.push({ name, labels: read, value: number })
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const [whole, name = '', value = ''] = labelForm.exec(rest) ?? []
    if (whole === undefined || name in labels) throw new Error(`labels that cannot be read: ${text}`)
    labels[name] = value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
    rest = rest.slice(whole.length)
  }
  return labels
}

function checkFamily(name: string, { type, samples }: Scraped): void {
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`the counter ${name} is no _total`)
  if (type !== 'counter' && name.endsWith('_total')) throw new Error(`${name} is no counter`)
  if (type !== 'gauge' && samples.some(({ value }) => value < 0)) throw new Error(`${name} is below 0`)
  if (type !== 'histogram') return
  const series = Map.groupBy(samples, ({ labels: { le: _, ...others } }) => JSON.stringify(others))
  for (const each of series.values()) checkHistogram(name, each)
}

function checkHistogram(name: string, samples: Scraped['samples']): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`)
  const bounds = buckets.map(({ labels: { le } }) => (le === '+Inf' ? Infinity : Number(le)))
  const values = buckets.map(({ value }) => value)
  const rises = (list: readonly number[]) => list.every((each, n) => n === 0 || each >= (list[n - 1] ?? 0))
  if (bounds.at(-1) !== Infinity || !rises(bounds) || !rises(values))
    throw new Error(`the buckets of ${name} do not rise to +Inf`)
  if (samples.find((sample) => sample.name === `${name}_count`)?.value !== values.at(-1))
    throw new Error(`${name}_count is not its last bucket`)
  if (!samples.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${name} has no sum`)
}

/** One value of a metric. */
export interface Sample {
  /** What follows the metric's name: `_bucket`, `_sum`, `_count`; nothing for most. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric with its values. */
export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

/** What Prometheus is told that it gets. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics in the text format of Prometheus, version 0.0.4. */
export function exposition(families: readonly Family[]): string {
  return families.map(familyText).join('')
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelsText(labels)} ${value}\n`,
  )
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  )
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

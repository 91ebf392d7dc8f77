import type { Registry } from 'prom-client'

/** Loaded with the first scrape: whoever never scrapes pays nothing for it. */
let loaded: Promise<Registry> | undefined

/** What prom-client knows of the process: processor time, memory, the lag of the event loop, which it watches from the
 *  first scrape on. */
export async function processMetrics(): Promise<string> {
  loaded ??= load()
  return (await loaded).metrics()
}

/** Gauges called like counters, which `promtool` complains of; `nodejs_active_handles` and the like tell the same. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

async function load(): Promise<Registry> {
  // A CommonJS module: in the bundle all of it hangs on the default.
  const { default: prometheus } = await import('prom-client')
  const register = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register })
  for (const name of misnamed) register.removeSingleMetric(name)
  return register
}

import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { coresEach } from './cores.ts'

const places = [
  'servers and load share the cores',
  'servers and load on one core each',
  'servers and load on two cores each',
]

/** The class of machine and what else counts for a comparison, in one line. Made before the load begins. */
export function machineLine(date: Date): string {
  const cores = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown processor'}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const place = places[coresEach]
  const day = date.toISOString().slice(0, 10)
  return `${day}, ${cores}, ${memory}, Node ${process.versions.node}, ${place}`
}

/** Whether something else takes the cores, so that results will be worse than they could be. */
export const isBusy = (): boolean => (loadavg()[0] ?? 0) > availableParallelism() / 4

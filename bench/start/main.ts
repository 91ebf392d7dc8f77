// Starts what it is told to and tells how long that took. A process of its own, which stays small: the larger a process has
// grown, the longer it takes to start another, and a bench that has measured for a quarter of an hour is large.

import { Processes } from '../frame/processes.ts'
import type { FromStarter, ToStarter } from './starter.ts'
import { nothing, started } from './starts.ts'

const processes = new Processes()

process.on('message', async (what: ToStarter) => {
  const tell = (message: FromStarter) => process.send?.(message)
  try {
    tell(what === 'nothing' ? await nothing(processes) : await started(processes, what))
  } catch (error) {
    tell({ failure: String(error) })
  }
})
process.once('disconnect', () => {
  processes.kill()
  process.exit()
})

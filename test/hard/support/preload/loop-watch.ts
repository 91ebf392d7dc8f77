// Loaded before the program. Measures how long its event loop was blocked at most, and writes that on SIGUSR2, in
// milliseconds; then it starts again.
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const everyMs = 1
const delay = monitorEventLoopDelay({ resolution: everyMs })
delay.enable()
process.on('SIGUSR2', () => {
  appendFileSync(process.env.LOOP_WATCH ?? '', `${Math.max(0, delay.max / 1e6 - everyMs)}\n`)
  delay.reset()
})

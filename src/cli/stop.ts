import type { Environment } from './terminal.ts'

const deadlineMs = 4_800
const sameSignalMs = 1_000
const launcherCheckMs = 250
const signals = { SIGINT: 2, SIGTERM: 15 } as const

/** Waits for SIGTERM, SIGINT, or the end of the launcher that started this program.
 *
 *  From then on the program has 4.8 s: whatever still keeps it is cut, exit code 0. A second signal within a second
 *  is taken for the same one (a terminal and npm both pass it on); a later one ends the program at once.
 *  @returns why the program is to stop */
export function toldToStop(env: Environment): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let firstAt: number | null = null
  const told = (why: string, code: number) => {
    if (firstAt === null) {
      firstAt = performance.now()
      setTimeout(() => process.exit(0), deadlineMs).unref()
      resolve(why)
    } else if (performance.now() - firstAt > sameSignalMs) process.exit(code)
  }
  for (const [signal, number] of Object.entries(signals)) {
    process.on(signal, () => told(signal, 128 + number))
  }
  const launcher = Number(env.EMULATOR_LAUNCHER_PID)
  if (launcher > 0) whenOrphaned(launcher, () => told('its launcher is gone', 0))
  return promise
}

/** Calls `act` once when this process is no longer the launcher's child: the system has given it another parent,
 *  because the launcher was killed without a chance to pass that on. */
function whenOrphaned(launcher: number, act: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(timer)
    act()
  }, launcherCheckMs).unref()
}

let made = 0

/** A seed of 16 hexadecimal digits that no other emulator is likely to have. Nothing depends on its secrecy, and loading
 *  `node:crypto` would take longer than loading all of HTTP. */
export function randomSeed(): string {
  made += 1
  // A test may have replaced `Math.random` by a constant before this module is loaded. The time that the process has
  // taken tells its emulators apart, and its id those of other processes.
  const { user, system } = process.cpuUsage()
  const half = (own: number) => ((Math.random() * 2 ** 32) ^ own) >>> 0
  return [half(process.pid), half(user + system + made)]
    .map((number) => number.toString(16).padStart(8, '0'))
    .join('')
}

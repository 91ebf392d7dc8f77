let made = 0

/** A practically unique seed of 16 hexadecimal digits. The seed is no secret, and loading `node:crypto` takes longer
 *  than loading all of HTTP. */
export function randomSeed(): string {
  made += 1
  // A test may have replaced `Math.random` by a constant. CPU time distinguishes the emulators of one process; the
  // process id distinguishes processes.
  const { user, system } = process.cpuUsage()
  const half = (own: number) => ((Math.random() * 2 ** 32) ^ own) >>> 0
  return [half(process.pid), half(user + system + made)]
    .map((number) => number.toString(16).padStart(8, '0'))
    .join('')
}

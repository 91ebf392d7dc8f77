let made = 0

/** A seed that no other emulator is likely to have: 16 hexadecimal digits. Nobody has to be kept from guessing it, and
 *  `node:crypto` takes a start longer to load than all of its HTTP. */
export function randomSeed(): string {
  made += 1
  // A test process may have chance answer the same each time, before we are loaded: its emulators differ by the time that they
  // have taken, and from those of other processes.
  const { user, system } = process.cpuUsage()
  const half = (own: number) => ((Math.random() * 2 ** 32) ^ own) >>> 0
  return [half(process.pid), half(user + system + made)]
    .map((number) => number.toString(16).padStart(8, '0'))
    .join('')
}

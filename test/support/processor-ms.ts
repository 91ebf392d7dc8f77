/** How long an act takes, milliseconds of processor time: what others do on a busy machine does not count. */
export function processorMs(act: () => unknown): number {
  const started = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

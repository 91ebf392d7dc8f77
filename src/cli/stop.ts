const deadlineMs = 4_800
const sameSignalMs = 1_000
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** Waits for SIGTERM, SIGINT, SIGHUP (the terminal was closed), or the end of the launcher that started this program.
 *
 *  From then on the program has 4.8 s: whatever still keeps it is cut, exit code 0. A second signal within a second
 *  is taken for the same one (a terminal and npm both pass it on); a later one ends the program at once.
 *  @param asked resolves with the words for it when somebody asks in another way
 *  @returns why the program is to stop */
export function stopRequested(asked?: Promise<string>): Promise<string> {
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
  onLauncherEnd(() => told('its parent process has ended', 0))
  // Listening keeps the process alive otherwise.
  process.channel?.unref()
  asked?.then((why) => told(why, 0))
  return promise
}

/** Acts once the launcher of a checkout has ended: it opens a channel, which the system closes with it, however it
 *  ends.
 *  @returns listens no longer */
export function onLauncherEnd(act: () => void): () => void {
  process.once('disconnect', act)
  return () => process.off('disconnect', act)
}

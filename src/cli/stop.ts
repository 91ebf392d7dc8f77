const deadlineMs = 4_800
const sameSignalMs = 1_000
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** Waits for SIGTERM, SIGINT, SIGHUP (the terminal was closed), or the end of the launcher that started this
 *  program. Then the program has 4.8 s; after that it ends with exit code 0. A second signal within a second counts
 *  as the same one, because the terminal and npm both send it; a later one ends the program at once.
 *  @param asked another request to stop; resolves with its reason
 *  @returns why the program stops */
export function stopRequested(asked?: Promise<string>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let firstAt: number | null = null
  const stop = (why: string, code: number) => {
    if (firstAt === null) {
      firstAt = performance.now()
      setTimeout(() => process.exit(0), deadlineMs).unref()
      resolve(why)
    } else if (performance.now() - firstAt > sameSignalMs) process.exit(code)
  }
  for (const [signal, number] of Object.entries(signals)) {
    process.on(signal, () => stop(signal, 128 + number))
  }
  onLauncherEnd(() => stop('its parent process has ended', 0))
  // An open channel to the launcher would keep this process alive.
  process.channel?.unref()
  asked?.then((why) => stop(why, 0))
  return promise
}

/** Calls `act` when the launcher of a checkout has ended: the system then closes the channel that it had opened.
 *  @returns a function that stops listening */
export function onLauncherEnd(act: () => void): () => void {
  process.once('disconnect', act)
  return () => process.off('disconnect', act)
}

/**
 * Announces on standard error a step that keeps the user waiting, and how long it has taken so far: in a line that
 * changes on a terminal, else in a new line every ten seconds. Nothing is added once the step has failed.
 * @param {string} step short enough that the line does not wrap, such as `Installing the dependencies, once (about 20 s)`
 * @param {() => Promise<T>} work
 * @template T
 * @returns {Promise<T>}
 */
export async function withProgress(step, work) {
  const { stderr } = process
  const begin = Date.now()
  const seconds = () => `${Math.round((Date.now() - begin) / 1_000)} s`
  const show = stderr.isTTY
    ? () => stderr.write(`\r${step}: ${seconds()}`)
    : () => stderr.write(`Still working on it: ${seconds()}\n`)
  stderr.write(stderr.isTTY ? step : `${step}\n`)
  const timer = setInterval(show, stderr.isTTY ? 1_000 : 10_000)
  try {
    const result = await work()
    stderr.write(stderr.isTTY ? `\r${step}: done in ${seconds()}\n` : `Done in ${seconds()}\n`)
    return result
  } catch (error) {
    if (stderr.isTTY) stderr.write('\n')
    throw error
  } finally {
    clearInterval(timer)
  }
}

import { execFileSync } from 'node:child_process'
import type { TestContext } from 'vitest'

/** Runs what installs or compiles with packages of a registry, and skips the test, saying so, where there is no such
 *  program or the registry cannot be reached. That is not held against CI: these packages belong to the recipes, and the recipes run with stand-ins beside.
 *  @returns what it prints */
export function fetched(
  { skip }: Pick<TestContext, 'skip'>,
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 200_000 })
  } catch (error) {
    const said = outputOf(error)
    if (!/unknown host|name resolution|name or service not known|ENOENT|ENOTFOUND|EAI_AGAIN/i.test(said))
      throw new Error(`${program} ${args.join(' ')}: ${said}`)
    return skip(
      `${program} ${args.join(' ')} is not there, or reaches no registry, so nothing was compared with the real packages`,
    )
  }
}

function outputOf(error: unknown): string {
  const { stdout, stderr, message } = Object(error)
  return [stdout, stderr, message].filter(Boolean).join('\n')
}

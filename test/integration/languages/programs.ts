import { type ExecFileException, execFile } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** A program of `examples/signing`, in a language that has to be installed. */
export interface SigningProgram {
  readonly language: string
  /** The command that must be there. */
  readonly tool: string
  /** Run once before all else, as its documentation says. */
  readonly build: readonly string[] | null
  readonly command: readonly string[]
}

/** The programs, each with how it is run.
 *  @param built an empty folder for what compilers write */
export function signingPrograms(built: string): readonly SigningProgram[] {
  const source = (name: string) => join(root, 'examples/signing', name)
  const go = join(built, 'signing')
  const exe = join(built, 'Signing.exe')
  const assemblies = ['-r:System.Net.Http', '-r:System.Runtime.Serialization']
  return [
    { language: 'Node', tool: 'node', build: null, command: [process.execPath, source('signing.mjs')] },
    { language: 'Python', tool: 'python3', build: null, command: ['python3', source('signing.py')] },
    {
      language: 'Java',
      tool: 'java',
      build: ['javac', '-d', built, source('Signing.java')],
      command: ['java', '-cp', built, 'Signing'],
    },
    { language: 'Go', tool: 'go', build: ['go', 'build', '-o', go, source('signing.go')], command: [go] },
    { language: 'PHP', tool: 'php', build: null, command: ['php', source('signing.php')] },
    {
      language: 'C#',
      tool: 'mcs',
      build: ['mcs', ...assemblies, `-out:${exe}`, source('Signing.cs')],
      command: ['mono', exe],
    },
  ]
}

/** The commands that the page on other languages has for the programs. */
export function documentedCommands(): readonly string[] {
  const page = readFileSync(join(root, 'docs/how-to/other-languages.md'), 'utf8')
  return [...page.matchAll(/\| `([^`]* examples\/signing\/[^`]*)`/g)].map((match) => match[1] ?? '')
}

/** Whether a command can be found on the PATH. */
export function installed(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((each) => {
    try {
      accessSync(join(each, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** How a run ended. */
export interface Ended {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** Runs a command to its end.
 *  @param where in the project unless said otherwise
 *  @throws Error if it cannot be run, or has not ended in time (half a minute unless said otherwise) */
export function run(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  where: { readonly folder?: string; readonly timeoutMs?: number } = {},
): Promise<Ended> {
  const [file = '', ...args] = command
  const options = {
    cwd: where.folder ?? root,
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    timeout: where.timeoutMs ?? 30_000,
    killSignal: 'SIGKILL',
  } as const
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error: ExecFileException | null, out, err) => {
      const exitCode = error === null ? 0 : error.code
      if (typeof exitCode === 'number') resolve({ exitCode, out, err })
      else reject(new Error(`${command.join(' ')}: ${error?.message ?? ''}`))
    })
  })
}

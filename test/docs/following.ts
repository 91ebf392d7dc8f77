import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { freePort } from '../../tools/free-port.ts'
import { aFolder } from '../support/folder.ts'
import { type Block, blocksOf, missingLine } from './guide.ts'
import { ShellSession, Spoken } from './shell-session.ts'

const root = join(import.meta.dirname, '..', '..')

/** Ports that guides name; here they become free ones. */
const named = ['4600', '4601', '3000', '3001']

/** Where the answers of a block are kept. */
const answers = '.answers'

/** The assumptions of a guide. */
interface Given {
  /** A folder of the project whose files lie in the reader's folder. */
  readonly files?: string
  readonly env?: NodeJS.ProcessEnv
}

/** A reader who follows a guide, block by block, in a new folder. */
export class Following {
  readonly #folder: string
  readonly #ports: ReadonlyMap<string, string>
  readonly #env: NodeJS.ProcessEnv
  readonly #shell: ShellSession
  readonly #running = new Map<string, Spoken>()
  #printed = ''
  #refused: string[] = []

  constructor(ports: ReadonlyMap<string, string>, { files, env = {} }: Given) {
    this.#ports = ports
    this.#folder = aFolder()
    if (files !== undefined) cpSync(join(root, files), this.#folder, { recursive: true })
    const { PATH = '' } = process.env
    // In a checkout, these commands run the program with its private Node.
    const tools = join(this.#folder, '.tools')
    mkdirSync(tools)
    const program = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist', 'cli.js')}' "$@"\n`
    writeFileSync(join(tools, 'payment-order-emulator'), program, { mode: 0o755 })
    // `listen` has a port of its own, which may be taken here.
    const listen = `[ "$1" = listen ] && set -- "$@" --port ${ports.get('4601')}`
    const npx = `#!/bin/sh\n[ "$1" = payment-order-emulator ] && shift\n${listen}\nexec payment-order-emulator "$@"\n`
    writeFileSync(join(tools, 'npx'), npx, { mode: 0o755 })
    // Keeps the status of each answer: `curl` itself is content with a 404.
    mkdirSync(join(this.#folder, answers))
    const kept = `"$(mktemp "$HOME/${answers}/XXXXXXXX")"`
    // Without the folder that this lies in: it would find itself.
    const curl = `#!/bin/sh\nPATH=\${PATH#*:}\nexec curl -D ${kept} "$@"\n`
    writeFileSync(join(tools, 'curl'), curl, { mode: 0o755 })
    const npm = `#!/bin/sh\n[ "$1" = start ] && shift\n[ "$1" = -- ] && shift\n${listen}\nexec payment-order-emulator "$@"\n`
    writeFileSync(join(tools, 'npm'), npm, { mode: 0o755 })
    this.#env = {
      ...{ HOME: this.#folder, PATH: `${tools}:${dirname(process.execPath)}:${PATH}` },
      ...{ EMULATOR_LOG: 'pretty', NO_COLOR: '1', LC_ALL: 'C.UTF-8' },
      // Speeds up the clock, because an ordinary order takes five seconds.
      ...{ EMULATOR_CLOCK: '20x', EMULATOR_URL: `http://127.0.0.1:${ports.get('4600')}` },
      ...env,
    }
    this.#shell = new ShellSession({ cwd: this.#folder, env: this.#env })
  }

  static async begin(given: Given = {}): Promise<Following> {
    const ports = await Promise.all(named.map(async (port) => [port, String(await freePort())] as const))
    return new Following(new Map(ports), given)
  }

  /** Follows one block. A refusal that the block before it got is one that this block shows. */
  async follow({ language, text, mark }: Block): Promise<void> {
    // TypeScript has tests of its own: library-guide.generated.test.ts. A diagram has nothing to run.
    if (language === 'ts' || language === 'mermaid') return
    const here = this.#moved(text)
    this.end(language === 'text' && mark === null ? here : '')
    if (mark?.kind === 'not run') return parsed(language, text)
    if (mark?.kind === 'file') return writeFileSync(join(this.#folder, mark.value), here)
    if (mark?.kind === 'background') return this.#begin(mark.value, here)
    if (mark?.kind === 'output of') return this.#seen(mark.value, here)
    if (language === 'sh') {
      this.#printed = await this.#shell.run(here)
      this.#refused = this.#refusals()
    } else if (language === 'text') expect(missingLine(here, this.#printed), this.#printed).toBeNull()
    else if (language === 'json') expect(JSON.parse(this.#printed)).toMatchObject(JSON.parse(here))
    else throw new Error(`nothing is done with this block of ${language || 'nothing'}`)
  }

  /** Throws if a call was refused and nothing says so. @param shown what the guide shows of the last block */
  end(shown = ''): void {
    const unsaid = this.#refused.filter((status) => !shown.includes(status))
    this.#refused = []
    if (unsaid.length > 0)
      throw new Error(`answered ${unsaid.join(', ')}, which it does not show:\n${this.#printed}`)
  }

  #refusals(): string[] {
    const folder = join(this.#folder, answers)
    const statuses = readdirSync(folder).map((name) => {
      const head = readFileSync(join(folder, name), 'utf8')
      rmSync(join(folder, name))
      return /^HTTP\/\S+ (\d+)/.exec(head)?.[1] ?? 'nothing'
    })
    return statuses.filter((status) => !/^[23]/.test(status))
  }

  async #begin(name: string, command: string): Promise<void> {
    await this.#running.get(name)?.stop()
    const how = { cwd: this.#folder, env: { ...this.#env, EMULATOR_PORT: this.#ports.get('4600') } }
    const running = new Spoken('bash', ['-c', `exec ${command}`], how)
    this.#running.set(name, running)
    await running.until((output) => /^Ready\.$|^listening/im.test(output))
  }

  async #seen(name: string, shown: string): Promise<void> {
    const running = this.#running.get(name)
    if (running === undefined) throw new Error(`nothing runs as ${name}`)
    await running.until((output) => missingLine(shown, output) === null)
  }

  #moved(text: string): string {
    return text.replaceAll(/(?<=:|listen\()(\d{4})\b/g, (port) => this.#ports.get(port) ?? port)
  }
}

/** Follows a guide from its beginning to its end. @param file its path in the project */
export async function followed(file: string, given: Given = {}): Promise<void> {
  const session = await Following.begin(given)
  for (const block of blocksOf(readFileSync(join(root, file), 'utf8'))) {
    await session.follow(block).catch((error: unknown) => {
      throw new Error(`${file}:${block.line}: ${error instanceof Error ? error.message : error}`)
    })
  }
  session.end()
}

/** Parses a block that cannot be run here. */
function parsed(language: string, text: string): void {
  if (language === 'json') JSON.parse(text)
  else if (language === 'yaml')
    expect([...parseAllDocuments(text)].flatMap(({ errors }) => errors)).toEqual([])
}

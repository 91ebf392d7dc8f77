import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Container } from './container.ts'
import { buildah, type Image } from './store.ts'

/** Options of a container, as of `docker run`. */
export interface RunOptions {
  /** Instead of the image's CMD. */
  readonly command?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Folders of this machine by where the container has them; only those of a volume can be written. */
  readonly mounts?: Readonly<Record<string, string>>
  /** Instead of the image's, as `uid:gid`. */
  readonly user?: string
  /** This machine's unless it is `own`, which reaches nothing else, or that of another container. */
  readonly network?: 'own' | { readonly path: string }
}

const namespaces = ['pid', 'ipc', 'uts', 'mount']

/** Runs containers of one image as an engine does with `--read-only --cap-drop all`: with the user, environment,
 *  command, working directory and volumes that the image names. Only the network is this machine's. */
export class Engine {
  readonly #image: Image
  readonly #work = mkdtempSync(join(tmpdir(), 'poe-containers-'))
  readonly #container: string
  readonly #files: string
  readonly #running = new Set<Container>()
  #count = 0

  private constructor(image: Image, container: string, files: string) {
    this.#image = image
    this.#container = container
    this.#files = files
  }

  static async start(image: Image): Promise<Engine> {
    const container = await buildah(['from', '--pull-never', image.name])
    return new Engine(image, container, await buildah(['mount', container]))
  }

  /** Where this machine sees the files of the image. */
  get files(): string {
    return this.#files
  }

  /** Starts a container. */
  run(options: RunOptions = {}): Container {
    this.#count += 1
    const id = `c${this.#count}`
    const bundle = join(this.#work, id)
    mkdirSync(bundle)
    const spec = this.#spec(bundle, options)
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec))
    const { Healthcheck } = this.#image.config
    const container = new Container(`poe-${process.pid}-${id}`, bundle, spec.process, Healthcheck?.Test ?? [])
    this.#running.add(container)
    void container.ended.finally(() => this.#running.delete(container))
    return container
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((container) => container.stop('SIGKILL')))
    await buildah(['rm', this.#container])
    rmSync(this.#work, { recursive: true, force: true })
  }

  #spec(bundle: string, { command, env = {}, mounts = {}, user, network }: RunOptions) {
    const { config } = this.#image
    const volumes = config.Volumes.filter((path) => !(path in mounts)).map((path) =>
      bind(path, this.#freshVolume(bundle, path), 'rw'),
    )
    const given = Object.entries(mounts).map(([path, folder]) =>
      bind(path, folder, config.Volumes.includes(path) ? 'rw' : 'ro'),
    )
    return {
      ociVersion: '1.0.2',
      root: { path: this.#files, readonly: true },
      process: {
        args: [...config.Entrypoint, ...(command ?? config.Cmd)],
        env: laidOver(config.Env, env),
        cwd: config.WorkingDir || '/',
        user: userOf(user ?? config.User),
        noNewPrivileges: true,
      },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
        ...volumes,
        ...given,
      ],
      linux: { namespaces: [...namespaces.map((type) => ({ type })), ...networkOf(network)] },
    }
  }

  /** An engine lets a volume begin with what the image has there, and with its owner and mode. */
  #freshVolume(bundle: string, path: string): string {
    const folder = join(bundle, path.replaceAll('/', '_'))
    execFileSync('cp', ['--archive', join(this.#files, path), folder])
    return folder
  }
}

const bind = (destination: string, source: string, access: 'ro' | 'rw') => ({
  destination,
  source,
  type: 'bind',
  options: ['rbind', access],
})

function networkOf(network: RunOptions['network']) {
  if (network === undefined) return []
  return [{ type: 'network', ...(network === 'own' ? {} : network) }]
}

function laidOver(image: readonly string[], given: Readonly<Record<string, string>>): string[] {
  const kept = image.filter((line) => !(line.slice(0, line.indexOf('=')) in given))
  return [...kept, ...Object.entries(given).map(([name, value]) => `${name}=${value}`)]
}

function userOf(text: string) {
  if (text === '') return { uid: 0, gid: 0 }
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(text) ?? []
  if (uid === undefined || gid === undefined) throw new Error(`the user ${text} is not of the form uid:gid`)
  return { uid: Number(uid), gid: Number(gid) }
}

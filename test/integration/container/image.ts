import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { isObject } from '../../support/answer.ts'

/** What an image says about the containers made of it. */
type ImageConfig = z.infer<typeof imageConfig>

const list = z
  .array(z.string())
  .nullish()
  .transform((items) => items ?? [])
const names = z
  .record(z.string(), z.object({}))
  .nullish()
  .transform((members) => Object.keys(members ?? {}))

const imageConfig = z.object({
  User: z.string(),
  Env: list,
  Entrypoint: list,
  Cmd: list,
  WorkingDir: z.string(),
  Volumes: names,
  ExposedPorts: names,
  Labels: z.record(z.string(), z.string()).nullish(),
  /** `CMD` and the command. */
  Healthcheck: z.object({ Test: z.array(z.string()) }).optional(),
})

const inspected = z.object({ Docker: z.object({ config: z.unknown() }), Manifest: z.string() })

const manifest = z.object({ layers: z.array(z.object({ digest: z.string(), size: z.number() })) })

/** The official image's name, under which a machine that cannot pull it makes its own. */
const baseName = 'docker.io/library/node:24-slim'

const root = join(import.meta.dirname, '..', '..', '..')
const execute = promisify(execFile)

/** Kept from run to run, for the base takes longer than all the rest; may be removed at any time. */
const store = [
  ...[
    '--root',
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'payment-order-emulator-containers'),
  ],
  ...['--runroot', '/run/payment-order-emulator-containers'],
]

/** Runs buildah in a store of our own.
 *  @returns what it prints, without the line's end
 *  @throws with all that it has printed */
export async function buildah(...args: readonly string[]): Promise<string> {
  try {
    return (await execute('buildah', [...store, ...args], { maxBuffer: 2 ** 26 })).stdout.trimEnd()
  } catch (error) {
    throw isObject(error) ? new Error(`${error.message}\n${error.stdout}`) : error
  }
}

/** An image in the store. */
export interface Image {
  readonly name: string
  readonly config: ImageConfig
}

/** The image of this checkout. */
export interface OurImage extends Image {
  /** What our layers add to the base, in bytes, not compressed. */
  readonly addedBytes: number
  remove(): Promise<void>
}

/** Builds the image as docs/container.md says, on the base that is there, or else on one made here.
 *  @throws with all that the build has printed */
export async function buildImage(name: string): Promise<OurImage> {
  if (!(await exists(baseName))) {
    execFileSync(join(import.meta.dirname, 'base-image.sh'), store, {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
  const work = mkdtempSync(join(tmpdir(), 'poe-image-'))
  try {
    const options = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', ...registryOptions(work)]
    await buildah('bud', ...options, '--tag', name, root)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const [base, image] = [await inspect(baseName), await inspect(name)]
  const ours = image.layers.filter(({ digest }) => !base.layers.some((layer) => layer.digest === digest))
  return {
    name,
    config: imageConfig.parse(image.config),
    addedBytes: ours.reduce((sum, { size }) => sum + size, 0),
    remove: async () => void (await buildah('rmi', '--force', name)),
  }
}

/** What ours is built on: Node, and nothing that runs by itself. */
export async function baseImage(): Promise<Image> {
  return { name: baseName, config: imageConfig.parse((await inspect(baseName)).config) }
}

/** The registry, authority and cache that npm has here, for the npm within the build. */
function registryOptions(work: string): string[] {
  const {
    npm_config_registry: registry,
    npm_config_cache: cache,
    NODE_EXTRA_CA_CERTS: authorities,
  } = process.env
  const own = process.env.npm_config_userconfig ?? join(homedir(), '.npmrc')
  const npmrc = join(work, 'npmrc')
  const lines = [
    existsSync(own) ? readFileSync(own, 'utf8') : '',
    registry ? `registry=${registry}` : '',
    authorities ? 'cafile=/etc/ssl/authorities.pem' : '',
  ]
  writeFileSync(npmrc, lines.join('\n'), { mode: 0o600 })
  const shared = cache ?? join(homedir(), '.npm')
  mkdirSync(shared, { recursive: true })
  return [
    ...['--secret', `id=npmrc,src=${npmrc}`],
    ...['--volume', `${shared}:/root/.npm`],
    ...(authorities ? ['--volume', `${authorities}:/etc/ssl/authorities.pem:ro`] : []),
  ]
}

function exists(name: string): Promise<boolean> {
  return buildah('inspect', '--type', 'image', name).then(
    () => true,
    () => false,
  )
}

async function inspect(name: string) {
  const { Docker, Manifest } = inspected.parse(JSON.parse(await buildah('inspect', '--type', 'image', name)))
  return { config: Docker.config, layers: manifest.parse(JSON.parse(Manifest)).layers }
}

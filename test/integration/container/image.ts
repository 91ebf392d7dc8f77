import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWell } from '../support/run.ts'
import { buildah, type Image, imageNamed, store } from './store.ts'

/** The official image's name, under which a machine that cannot pull it makes its own. */
const baseName = 'docker.io/library/node:24-slim'

const root = join(import.meta.dirname, '..', '..', '..')
const timeoutMs = 240_000

/** The image of this checkout. */
export interface OurImage extends Image {
  /** Node, and nothing that runs by itself. */
  readonly base: Image
  /** The uncompressed bytes that our layers add to the base. */
  readonly addedBytes: number
  remove(): Promise<void>
}

/** Builds the image as docs/how-to/ci.md says, on the base that is there, or else on one made here.
 *  @param digest that the base must have; its own if left out
 *  @throws with all that the build has printed */
export async function buildImage(name: string, digest?: string): Promise<OurImage> {
  const base = (await imageNamed(baseName)) ?? (await madeBase())
  const work = mkdtempSync(join(tmpdir(), 'poe-image-'))
  try {
    const pinned = ['--build-arg', `BASE_DIGEST=${digest ?? base.digest}`]
    const options = [
      '--isolation',
      'chroot',
      '--format',
      'docker',
      '--pull-never',
      ...pinned,
      ...npmOptions(work),
    ]
    await buildah(['bud', ...options, '--tag', name, root], { timeoutMs })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const image = await imageNamed(name)
  if (image === null) throw new Error(`the build has left no image ${name}`)
  const ours = image.layers.filter(({ digest }) => !base.layers.some((layer) => layer.digest === digest))
  return {
    ...image,
    base,
    addedBytes: ours.reduce((sum, { size }) => sum + size, 0),
    remove: async () => void (await buildah(['rmi', '--force', name])),
  }
}

async function madeBase(): Promise<Image> {
  await runWell(join(import.meta.dirname, 'base-image.sh'), store, { timeoutMs })
  const base = await imageNamed(baseName)
  if (base === null) throw new Error(`base-image.sh has left no image ${baseName}`)
  return base
}

/** For the npm within the build: the registry, authority and cache of the one here. */
function npmOptions(work: string): string[] {
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

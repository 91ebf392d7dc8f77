import { homedir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { type RunOptions, run, runWell } from '../support/run.ts'

/** An image in the store. */
export interface Image {
  readonly name: string
  readonly digest: string
  readonly config: z.infer<typeof imageConfig>
  readonly layers: readonly { readonly digest: string; readonly size: number }[]
}

const list = z
  .array(z.string())
  .nullish()
  .transform((items) => items ?? [])
const members = z
  .record(z.string(), z.object({}))
  .nullish()
  .transform((found) => Object.keys(found ?? {}))

/** The configuration in an image. */
const imageConfig = z.object({
  User: z.string(),
  Env: list,
  Entrypoint: list,
  Cmd: list,
  WorkingDir: z.string(),
  Volumes: members,
  ExposedPorts: members,
  Labels: z.record(z.string(), z.string()).nullish(),
  /** `CMD` and the command. */
  Healthcheck: z.object({ Test: z.array(z.string()) }).optional(),
})

const inspected = z.object({
  Docker: z.object({ config: imageConfig }),
  FromImageDigest: z.string(),
  Manifest: z.string(),
})

/** Sizes are bytes, not compressed. */
const manifest = z.object({ layers: z.array(z.object({ digest: z.string(), size: z.number() })) })

const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')

/** Where buildah keeps images for these tests, as its flags: from run to run, because the base takes longer to make than
 *  all the rest. May be removed at any time. */
export const store: readonly string[] = [
  `--root=${join(caches, 'payment-order-emulator-containers')}`,
  '--runroot=/run/payment-order-emulator-containers',
]

/** Runs buildah on the store.
 *  @returns what it prints, without the line's end
 *  @throws with all that it has printed */
export async function buildah(args: readonly string[], options: RunOptions = {}): Promise<string> {
  return (await runWell('buildah', [...store, ...args], options)).trimEnd()
}

/** The image of a name; null if the store has none. */
export async function imageNamed(name: string): Promise<Image | null> {
  const { code, out } = await run('buildah', [...store, 'inspect', '--type', 'image', name])
  if (code !== 0) return null
  const { Docker, FromImageDigest: digest, Manifest } = inspected.parse(JSON.parse(out))
  return { name, digest, config: Docker.config, layers: manifest.parse(JSON.parse(Manifest)).layers }
}

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import * as z from 'zod'
import { aFolder } from '../../support/folder.ts'
import type { Container } from './container.ts'
import type { Engine, RunOptions } from './engine.ts'

const composeFile = z.object({
  services: z.record(
    z.string(),
    z.object({
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()),
      volumes: z.array(z.string()),
      depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
    }),
  ),
})

/** Starts the services of a compose file as `docker compose up` would, in a network in which each is found by its name.
 *  A service that waits for another stands after it.
 *  @param engines what runs each service */
export async function composeUp(
  file: string,
  engines: Readonly<Record<string, Engine>>,
): Promise<ReadonlyMap<string, Container>> {
  const { services } = composeFile.parse(parse(readFileSync(file, 'utf8')))
  const hosts = join(aFolder(), 'hosts')
  writeFileSync(hosts, `127.0.0.1 localhost ${Object.keys(services).join(' ')}\n`)
  const running = new Map<string, Container>()
  let network: RunOptions['network'] = 'own'
  for (const [name, service] of Object.entries(services)) {
    const engine = engines[name]
    if (engine === undefined) throw new Error(`nothing runs the service ${name}`)
    for (const needed of Object.keys(service.depends_on)) {
      const container = running.get(needed)
      if (container === undefined) throw new Error(`${name} stands before ${needed}, which it waits for`)
      await container.healthy()
      network = await container.network()
    }
    const { command, environment: env, volumes } = service
    const mounts = Object.fromEntries(volumes.map((volume) => mountOf(volume, dirname(file))))
    const options = { env, network, mounts: { ...mounts, '/etc/hosts': hosts } }
    running.set(name, engine.run({ ...options, ...(command !== undefined && { command }) }))
  }
  return running
}

function mountOf(volume: string, folder: string): [string, string] {
  const [source = '', target = ''] = volume.split(':')
  return [target, resolve(folder, source)]
}

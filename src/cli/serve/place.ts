import { existsSync } from 'node:fs'
import type { Place } from '../../domain/connection-advice.ts'
import type { Environment } from '../terminal.ts'

/** Where this program runs, by the marks that engines leave: Docker and Podman a file, Kubernetes a variable of each
 *  container, images the variable `container`. Cgroups say nothing any more: since version 2 a container sees only its
 *  own.
 *  @param exists whether there is such a file */
export function placeOf(env: Environment, exists: (file: string) => boolean = existsSync): Place {
  if (env.KUBERNETES_SERVICE_HOST) return 'pod'
  if (imageMarks.includes(env.container)) return 'container'
  return engineMarks.some((file) => exists(file)) ? 'container' : 'machine'
}

/** What `container` holds in images and in what engines make of them. systemd-nspawn and LXC set it as well, for what
 *  is a machine rather. */
const imageMarks: readonly unknown[] = ['oci', 'docker', 'podman']

const engineMarks = ['/.dockerenv', '/run/.containerenv']

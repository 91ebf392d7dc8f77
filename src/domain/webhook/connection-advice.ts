/** Where an emulator can run; what localhost means follows from it. */
export const places = ['machine', 'container', 'pod'] as const

/** A machine of its own, a container, or a pod of Kubernetes, whose containers share one localhost. */
export type Place = (typeof places)[number]

/** A connection that came to nothing. */
export interface FailedConnection {
  /** Node's code of the error, such as `ECONNREFUSED`. */
  readonly code: string
  /** As the URL names it, without brackets. */
  readonly host: string
  /** What was connected to, if it came so far. */
  readonly address: string | undefined
}

/** What to do about a connection that failed for a reason that lies outside the application; null where the error says
 *  enough, or where nothing certain can be said.
 *  @param place where the emulator runs */
export function connectionAdvice({ code, host, address }: FailedConnection, place: Place): string | null {
  if (untrusted.has(code)) return trustAdvice
  const named = hostNames.has(host.toLowerCase())
  if (unresolved.has(code) && host.toLowerCase() === testHostName) return exposeAdvice
  if (unresolved.has(code)) return named ? unknownHostAdvice(host, place) : null
  if (code !== 'ECONNREFUSED') return null
  if (named) return place === 'container' ? closedHostAdvice : null
  return isLoopback(address ?? host) ? loopbackAdvice[place] : null
}

/** A certificate that nobody vouches for whom the emulator trusts. */
const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const unresolved: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN'])

/** What engines call the machine that a container runs on: Docker, and Podman. */
const hostNames: ReadonlySet<string> = new Set(['host.docker.internal', 'host.containers.internal'])

/** What Testcontainers calls the machine that the tests run on. */
const testHostName = 'host.testcontainers.internal'

const exposeAdvice =
  'Testcontainers makes the name known to containers that start after the test has called exposeHostPorts(<port>)'

const trustAdvice =
  'to trust the authority that signed the certificate, start the emulator with NODE_EXTRA_CA_CERTS=<its PEM file>'

/** A container may share its machine's network; the words hold there too. */
const loopbackAdvice: Readonly<Record<Place, string | null>> = {
  machine: null,
  container:
    'the emulator runs in a container and nothing answers there: reach an application in another container by ' +
    'its service name, and an application on the machine that runs the container as host.docker.internal',
  pod:
    'the emulator runs in a Kubernetes pod and nothing answers there: ' +
    'reach an application in another pod by the name of its Service',
}

const closedHostAdvice =
  'an application on the machine that runs the container must listen on 0.0.0.0, not only on 127.0.0.1'

function unknownHostAdvice(host: string, place: Place): string {
  if (place === 'pod') {
    return `${host} is a name for Docker and Podman: in Kubernetes, use localhost for an application in the same pod, and the name of its Service for one in another pod`
  }
  if (place === 'machine')
    return `${host} is a name for containers, and the emulator does not run in one: write 127.0.0.1`
  return `on Linux, start the emulator’s container with --add-host ${host}:host-gateway; in Compose, with extra_hosts: ["${host}:host-gateway"]`
}

/** Whether an address or a name leads no further than to the machine itself, as seen from inside it. */
const isLoopback = (text: string): boolean =>
  /^(127\.|::ffff:127\.|0\.0\.0\.0$)|^::1?$|^(.+\.)?localhost$/i.test(text)

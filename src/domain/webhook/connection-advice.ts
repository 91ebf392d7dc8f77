/** The places where an emulator can run, which decide what localhost means. */
export const places = ['machine', 'container', 'pod'] as const

/** A machine, a container, or a pod of Kubernetes, whose containers share one localhost. */
export type Place = (typeof places)[number]

/** The facts about a connection that failed. */
export interface FailedConnection {
  /** Node's error code, such as `ECONNREFUSED`. */
  readonly code: string
  /** The host in the URL, without brackets. */
  readonly host: string
  /** The IP address that the host name was resolved to, if it was. */
  readonly address: string | undefined
}

/** Suggests a remedy for a connection that failed for a reason outside of the application; null if the error says
 *  enough, or the reason is uncertain.
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

/** Error codes of certificates that are not trusted. */
const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const unresolved: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN'])

/** The names of the host machine in Docker and Podman. */
const hostNames: ReadonlySet<string> = new Set(['host.docker.internal', 'host.containers.internal'])

/** The name of the test machine in Testcontainers. */
const testHostName = 'host.testcontainers.internal'

const exposeAdvice =
  'Testcontainers makes the name known to containers that start after the test has called exposeHostPorts(<port>)'

const trustAdvice =
  'to trust the authority that signed the certificate, start the emulator with NODE_EXTRA_CA_CERTS=<its PEM file>'

/** The advice about loopback addresses, by the place where the emulator runs. A container may share its machine's
 *  network; the advice fits that too. */
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

/** Whether an address or a name is loopback. */
const isLoopback = (text: string): boolean =>
  /^(127\.|::ffff:127\.|0\.0\.0\.0$)|^::1?$|^(.+\.)?localhost$/i.test(text)

/** Explains why a request got no answer, and suggests a remedy where one is known.
 *  @param host as in the URL; an IPv6 address may stand in brackets
 *  @param place where the emulator runs */
export function connectionWords(error: Error, host: string, place: Place): string {
  // A name with several addresses fails once for each; the first stands for all.
  if (error instanceof AggregateError && error.errors[0] instanceof Error)
    return connectionWords(error.errors[0], host, place)
  const code = memberOf(error, 'code') ?? ''
  // Some errors of Node have a code and no message.
  const message = error.message === '' ? code : (plainer[error.message] ?? error.message)
  const failed = { code, host: host.replace(/^\[|\]$/g, ''), address: memberOf(error, 'address') }
  const advice = connectionAdvice(failed, place)
  return advice === null ? message : `${message}; ${advice}`
}

/** Removes the advice from the words for a failed connection, for an application that is known to have ended: then
 *  that is the reason, whatever the address is.
 *  @param text may contain those words anywhere */
export const withoutConnectionAdvice = (text: string): string =>
  allAdvice.reduce((shorter, advice) => shorter.replaceAll(`; ${advice}`, ''), text)

const allAdvice: readonly string[] = [
  ...places.flatMap((place) => [...hostNames].map((host) => unknownHostAdvice(host, place))),
  ...places.flatMap((place) => loopbackAdvice[place] ?? []),
  ...[closedHostAdvice, exposeAdvice, trustAdvice],
]

/** Clearer messages for errors of undici. */
const plainer: Readonly<Record<string, string>> = {
  'other side closed': 'the receiver closed the connection before it answered',
  'Headers Overflow Error': 'the answer has more than 16 KiB of headers',
  // undici reports a wrong length before any body has arrived: then the header itself is invalid.
  'Response body length does not match content-length header':
    'the content-length of the answer is not valid',
}

function memberOf(error: Error, name: string): string | undefined {
  const value: unknown = Object.entries(error).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : undefined
}

import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Addresses at which cloud machines hand out their credentials. */
const metadata = listOf([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
])
/** Link-local address ranges, in which clouds have metadata services. */
const linkLocal = listOf(['169.254.0.0/16', 'fe80::/10'])
/** Host names of cloud metadata services; elsewhere these names mean nothing. */
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal'])

/** Whether a text is a valid rule of `--webhook-allow`. */
export function isAllowRule(rule: string): boolean {
  // A rule of digits only was meant as an address, so it is no host name.
  return rangeOf(rule) !== null || (/^[A-Za-z0-9._-]+$/.test(rule) && /[^0-9.]/.test(rule))
}

/** The address that a webhook is about to be sent to. */
export interface Target {
  /** The host name or address in the URL. */
  readonly host: string
  /** The IP address that the host resolves to. */
  readonly address: string
  readonly port: number
}

/** Returns the host and port that a URL names. */
export function namedBy(url: string): Pick<Target, 'host' | 'port'> {
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'https:' ? 443 : 80
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}

/** The addresses that webhooks may go to: by default all but link-local ones, loopback and private networks
 *  included; never cloud metadata or the emulator itself. */
export class Targets {
  readonly #ranges: BlockList
  readonly #hosts: ReadonlySet<string>
  readonly #narrowed: boolean
  #own: { address: string; port: number } | undefined

  /** @param allowed the rules of which a target must match one; none for no limit */
  constructor(allowed: readonly string[] = []) {
    this.#narrowed = allowed.length > 0
    this.#ranges = listOf(allowed.filter((rule) => rangeOf(rule) !== null))
    this.#hosts = new Set(allowed.map((rule) => rule.toLowerCase()))
  }

  /** Sets the emulator's own address. */
  setOwn(address: string, port: number): void {
    this.#own = { address, port }
  }

  /** The reason why an address is forbidden; undefined if it is allowed. */
  problemWith({ host, address: zoned, port }: Target): string | undefined {
    const address = zoned.replace(/%.*/, '')
    const named = host === zoned ? host : `${host} (${zoned})`
    const each = [address, ...within(address)]
    if (isMetadataName(host) || each.some((one) => has(metadata, one)))
      return `${named} is the metadata address of cloud machines, which contains secrets; webhooks are never sent there`
    if (each.some((one) => this.#isOwn(one, port)))
      return `${named} port ${port} is the emulator itself; set the URL of your application`
    if (this.#narrowed)
      return this.#isAllowed(host, address) ? undefined : `${named} is not in --webhook-allow`
    if (each.every((one) => !has(linkLocal, one))) return undefined
    return `${named} is a link-local address, which cloud machines use for secrets; webhooks are sent there only if --webhook-allow names it`
  }

  #isAllowed(host: string, address: string): boolean {
    return this.#hosts.has(host.toLowerCase()) || has(this.#ranges, address)
  }

  #isOwn(address: string, port: number): boolean {
    if (this.#own?.port !== port) return false
    const own = listOf([this.#own.address])
    if (has(own, address)) return true
    // The unspecified address, such as 0.0.0.0, leads to loopback.
    if (has(anywhere, address)) return has(anywhere, this.#own.address) || has(loopback, this.#own.address)
    return has(anywhere, this.#own.address) && (has(loopback, address) || has(interfaces(), address))
  }
}

const isMetadataName = (host: string): boolean => metadataNames.has(host.toLowerCase().replace(/\.$/, ''))

/** The IPv4 address inside a translated IPv6 address: NAT64, 6to4, IPv4-translated (`::ffff:0:`), IPv4-compatible. A
 *  mapped address (`::ffff:`) needs no help. */
function within(address: string): string[] {
  if (isIP(address) !== 6) return []
  const groups = groupsOf(address)
  const [at] = translations.filter(({ prefix }) => prefix.every((group, index) => groups[index] === group))
  if (at === undefined) return []
  const [high = 0, low = 0] = groups.slice(at.from, at.from + 2)
  return [[high >> 8, high & 255, low >> 8, low & 255].join('.')]
}

const translations = [
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], from: 6 },
  { prefix: [0x64, 0xff9b, 1], from: 6 },
  { prefix: [0x2002], from: 1 },
  { prefix: [0, 0, 0, 0, 0xffff, 0], from: 6 },
  { prefix: [0, 0, 0, 0, 0, 0], from: 6 },
] as const

/** The eight numbers of an IPv6 address, abbreviated or not. */
function groupsOf(address: string): number[] {
  // `URL` writes the last four bytes of an IPv6 address as groups.
  const { hostname } = new URL(`http://[${address}]/`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [numbers(head), numbers(tail ?? '')]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const loopback = listOf(['127.0.0.0/8', '::1'])
const anywhere = listOf(['0.0.0.0', '::'])

const interfaces = (): BlockList =>
  listOf(Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []))

function listOf(rules: readonly string[]): BlockList {
  const list = new BlockList()
  for (const rule of rules) {
    const range = rangeOf(rule)
    if (range !== null) list.addSubnet(range.address, range.prefix, range.family)
  }
  return list
}

/** Parses an address, or one with a prefix (CIDR); null for anything else. */
function rangeOf(rule: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', prefixText, ...more] = rule.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return null
  const bits = family === 4 ? 32 : 128
  const prefix =
    prefixText === undefined ? bits : /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : bits + 1
  return prefix > bits ? null : { address, prefix, family: family === 4 ? 'ipv4' : 'ipv6' }
}

const has = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')

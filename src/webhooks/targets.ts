import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Where cloud machines hand out their credentials. */
const metadata = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
]

/** What a rule of `--webhook-allow` can be. */
export function isAllowRule(rule: string): boolean {
  // What is all digits was meant as an address.
  return rangeOf(rule) !== null || (/^[A-Za-z0-9._-]+$/.test(rule) && /[^0-9.]/.test(rule))
}

/** An address that a webhook is about to be sent to. */
export interface Target {
  /** As the URL names it. */
  readonly host: string
  /** What that resolves to. */
  readonly address: string
  readonly port: number
}

/** Which addresses webhooks may go to. All of them by default, loopback and private ones too; but never to cloud
 *  metadata or to the emulator itself. */
export class Targets {
  readonly #metadata = listOf(metadata)
  readonly #ranges: BlockList
  readonly #hosts: ReadonlySet<string>
  readonly #narrowed: boolean
  #own: { address: string; port: number } | undefined

  /** @param allowed rules of which one must fit; none means no limit */
  constructor(allowed: readonly string[] = []) {
    this.#narrowed = allowed.length > 0
    this.#ranges = listOf(allowed.filter((rule) => rangeOf(rule) !== null))
    this.#hosts = new Set(allowed.map((rule) => rule.toLowerCase()))
  }

  /** Where the emulator itself listens. */
  setOwn(address: string, port: number): void {
    this.#own = { address, port }
  }

  /** Why nothing may be sent there; undefined if it may. */
  problemWith(target: Target): string | undefined {
    const { host, address } = target
    const named = host === address ? host : `${host} (${address})`
    if (has(this.#metadata, address))
      return `${named} is where cloud machines keep their secrets; webhooks never go there`
    if (this.#isOwn(target))
      return `${named} port ${target.port} is the emulator itself; set the URL of your application`
    if (!this.#narrowed || this.#hosts.has(host.toLowerCase()) || has(this.#ranges, address)) return undefined
    return `${named} is not in --webhook-allow`
  }

  #isOwn({ address, port }: Target): boolean {
    if (this.#own?.port !== port) return false
    const own = listOf([this.#own.address])
    if (has(own, address)) return true
    // What is sent to no address in particular arrives at loopback.
    if (has(anywhere, address)) return has(anywhere, this.#own.address) || has(loopback, this.#own.address)
    return has(anywhere, this.#own.address) && (has(loopback, address) || has(interfaces(), address))
  }
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

/** An address, or one with a prefix (CIDR); null if it is neither. */
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

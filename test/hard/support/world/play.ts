import { Caller, type ServiceResponse, signature } from './caller.ts'
import { type Plan, type Played, planOf } from './plan.ts'
import { memberOf, startOwnReceiver, type Webhook } from './receiver.ts'

/** The result of a sandbox: its events, line by line, and all that was not its own. */
export interface Told {
  readonly story: readonly string[]
  readonly strangers: readonly string[]
  readonly calls: number
  readonly webhooks: number
}

/** A thing in a list of the control API, with the members that are looked at. */
interface Item {
  readonly clientId: string
  readonly id: string
  readonly orderId: string
  readonly requestId: string
  readonly waitsForPayer?: boolean
  readonly url?: string
  readonly attempts: readonly { n: number; at: number; outcome: string; status: number | null }[]
  readonly operation: string
  readonly at: number
  readonly status: number | string
  readonly notes: readonly string[]
  readonly diagnosis: { readonly cause: string } | null
  readonly email: string
  readonly hits: number
}

interface Listed {
  readonly items: readonly Item[]
}

interface Credentials {
  readonly clientId: string
  readonly apiSecret: string
  readonly webhookSecret: string
  accessToken: string
}

/** Makes the world's client; the rest follows when `play` is called. */
export async function begin(url: string, world: number): Promise<{ play: () => Promise<Told> }> {
  const plan = planOf(world)
  const caller = new Caller(url)
  const webhookSecret = `whsec_${Buffer.from(`secret of ${plan.clientId} `.padEnd(32, '.')).toString('base64')}`
  const refuses = new Set(plan.orders.filter(({ isRefused }) => isRefused).map(({ requestId }) => requestId))
  const receiver = await startOwnReceiver(webhookSecret, refuses)
  const { clientId, settings, defaultScenario, startsAt } = plan
  const fields = { clientId, settings, defaultScenario, webhookSecret, webhookUrl: `${receiver.url}/hook` }
  const clock = { mode: 'manual', now: startsAt }
  const client: Credentials = JSON.parse(await caller.control('POST', '/clients', { ...fields, clock }))
  const play = async () => {
    const { lines, strangers } = await new World(caller, client, plan, receiver.webhooks).play()
    caller.close()
    receiver.close()
    const story = lines.map((line) => line.replaceAll(url, 'EMULATOR').replaceAll(receiver.url, 'RECEIVER'))
    return { story, strangers, calls: caller.calls, webhooks: receiver.webhooks.length }
  }
  return { play }
}

class World {
  readonly #caller: Caller
  readonly #client: Credentials
  readonly #plan: Plan
  readonly #webhooks: readonly Webhook[]
  readonly #lines: string[] = []
  readonly #strangers: string[] = []
  /** The entries of the journal that are its own. */
  readonly #entries: string[] = []

  constructor(caller: Caller, client: Credentials, plan: Plan, webhooks: readonly Webhook[]) {
    this.#caller = caller
    this.#client = client
    this.#plan = plan
    this.#webhooks = webhooks
  }

  async play() {
    const { orders, steps, holds } = this.#plan
    if (holds !== null) await this.#own('POST', '/deliveries/hold', { where: { orderStatus: holds } })
    await this.#plans()
    for (const fault of this.#plan.faults) await this.#own('POST', '/faults', fault)
    for (const order of orders) await this.#create(order)
    for (const order of orders) await this.#lookUp(order)
    for (const [n, by] of steps.entries()) {
      await this.#walk('advance', { by })
      if (n === 0) await this.#pay()
      for (const order of orders) await this.#lookUp(order)
    }
    await this.#walk('advance-to-next', {})
    await this.#own('POST', '/deliveries/release', {})
    await this.#walk('advance', { by: '12h' })
    await this.#lists()
    return { lines: this.#lines, strangers: this.#strangers }
  }

  /** Plans the scenarios of coming orders before acting. */
  async #plans() {
    for (const { way, scenario, requestId } of this.#plan.orders) {
      if (way === 'next') await this.#own('POST', '/scenarios/next', { scenario, requestId })
    }
  }

  async #create(order: Played) {
    const { requestId, scenario, kind, way } = order
    const { clientId, apiSecret } = this.#client
    if (kind === 'payout' || kind === 'crypto-payin') {
      this.#tell('made', await this.#own('POST', '/orders', { kind, requestId, scenario }))
      return
    }
    if (way === 'next for any requestId') await this.#own('POST', '/scenarios/next', { scenario })
    const email = way === 'email' ? `${clientId}+${scenario}@example.com` : `${clientId}@example.com`
    const metadata = way === 'metadata' ? { emulatorScenario: scenario } : undefined
    const common = { currencyId: 'usd_us', fiatAmount: '10.00', email, requestId, clientId, metadata }
    const isSubscription = kind === 'subscription'
    const body = isSubscription ? { ...common, interval: 'MONTHLY' } : common
    const fields = `fiatAmount=10.00&requestId=${requestId}`
    const text = isSubscription ? `currencyId=usd_us&${fields}&interval=MONTHLY` : fields
    const headers: Record<string, string> = { signature: signature(apiSecret, text) }
    if (way === 'header') headers['emulator-scenario'] = scenario
    const path = `/v1/client/${isSubscription ? 'subscription' : 'checkout'}/create-order`
    // Once more, as an application would after an answer that it did not get or understand.
    for (let tries = 0; tries < 2; tries++) {
      const { status, text: answer } = await this.#call('POST', path, headers, body)
      this.#tell(`create ${requestId}`, status, answer)
      if (status === 200) break
    }
  }

  async #lookUp({ requestId }: Played) {
    const query = new URLSearchParams({ requestId, clientId: this.#client.clientId })
    for (const path of ['orders', 'crypto-orders', 'fiat-refunds']) {
      const { status, text } = await this.#call('GET', `/v1/client/${path}?${query}`)
      this.#tell(`${path} ${requestId}`, status, text)
    }
  }

  /** A call of the service; with a new token and once more if its token has expired. */
  async #call(method: string, path: string, headers: object = {}, body?: object): Promise<ServiceResponse> {
    const once = async () => {
      const all = { ...headers, 'access-token': this.#client.accessToken }
      const answer = await this.#caller.send(method, path, all, body)
      if (answer.entry !== undefined) this.#entries.push(answer.entry)
      return answer
    }
    const first = await once()
    if (first.status !== 401 || !first.text.includes('{"error":"')) return first
    const { clientId, apiSecret } = this.#client
    const issued = await this.#caller.send('POST', '/_emulator/access-token', {}, { clientId, apiSecret })
    if (issued.entry !== undefined) this.#entries.push(issued.entry)
    this.#client.accessToken = JSON.parse(issued.text).accessToken
    return once()
  }

  async #pay() {
    const { items } = await this.#list('/orders')
    for (const { orderId, requestId, waitsForPayer } of items) {
      if (waitsForPayer)
        this.#tell(
          `paid ${requestId}`,
          await this.#own('POST', `/orders/${orderId}/pay`, { outcome: 'completed' }),
        )
    }
  }

  async #walk(how: string, body: object) {
    const ledger = JSON.parse(await this.#own('POST', `/clock/${how}`, body))
    for (const { clientId } of ledger.transitions) this.#isOwn(clientId, `a transition in the ledger`)
    this.#tell(how, JSON.stringify(ledger))
  }

  /** All that the control API has of this world, and nothing else. */
  async #lists() {
    const [orders, deliveries, requests, users] = await Promise.all(
      ['/orders', '/deliveries', '/requests', '/users'].map((path) => this.#list(path)),
    )
    for (const { clientId, ...order } of orders?.items ?? []) {
      this.#isOwn(clientId, `order ${order.orderId}`)
      this.#tell('order', JSON.stringify(order))
    }
    // In the order of commit, in which a world's own calls and steps of one moment race each other.
    const sorted = (deliveries?.items ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const { clientId, attempts, url: _, ...delivery } of sorted) {
      this.#isOwn(clientId, `delivery ${delivery.id}`)
      const ends = attempts.map(({ n, at, outcome, status }) => [n, at, outcome, status])
      this.#tell('delivery', JSON.stringify(delivery), JSON.stringify(ends))
    }
    for (const { clientId, operation, requestId, at, status, notes, diagnosis } of requests?.items ?? []) {
      this.#isOwn(clientId, `entry about ${requestId}`)
      // The only allowed hint of other clients (N16).
      const own = notes.filter((note) => !note.startsWith('requestId: another client has used it'))
      this.#tell('request', operation, requestId, at, status, JSON.stringify(own), diagnosis?.cause)
    }
    for (const { clientId, ...user } of users?.items ?? []) {
      this.#isOwn(clientId, `user ${user.email}`)
      this.#tell('user', JSON.stringify(user))
    }
    for (const { clientId, hits } of (await this.#list('/faults')).items) {
      this.#isOwn(clientId, 'a fault')
      this.#tell('fault met', hits)
    }
    this.#tell('clock', await this.#own('GET', '/clock'))
    this.#journalIsWhole(requests?.items.map(({ id }) => id) ?? [])
    this.#webhooksAreOwn()
  }

  /** The journal has what this world did, all of it. */
  #journalIsWhole(ids: readonly string[]) {
    const missing = this.#entries.filter((id) => !ids.includes(id))
    if (missing.length > 0) this.#strangers.push(`${missing.length} of its calls are not in its journal`)
  }

  #webhooksAreOwn() {
    const told = this.#webhooks.map(({ path, id, body, isSigned }) => {
      // An envelope does not say whose it is; its signature does, as far as its scenario leaves that alone.
      if (body.includes('"clientId"')) this.#isOwn(memberOf(body, 'clientId'), `webhook ${id}`)
      return `webhook ${path} ${id} ${isSigned ? 'signed' : 'not signed'} ${body}`
    })
    // Webhooks of one time arrive in any order.
    this.#lines.push(...told.toSorted())
  }

  #isOwn(clientId: unknown, what: string) {
    if (clientId !== this.#client.clientId) this.#strangers.push(`${what} is of ${clientId}`)
  }

  /** Calls the control API for this world alone. */
  #own(method: string, path: string, body?: object): Promise<string> {
    return this.#caller.control(method, `${path}${path.includes('?') ? '&' : '?'}${this.#only}`, body)
  }

  get #only(): string {
    return new URLSearchParams({ clientId: this.#client.clientId }).toString()
  }

  async #list(path: string): Promise<Listed> {
    const items: Item[] = []
    for (let cursor = ''; ; ) {
      const page = JSON.parse(await this.#own('GET', `${path}?limit=500${cursor}`))
      items.push(...page.items)
      if (page.next === null) return { items }
      cursor = `&cursor=${encodeURIComponent(page.next)}`
    }
  }

  #tell(...words: readonly unknown[]) {
    this.#lines.push(words.join(' '))
  }
}

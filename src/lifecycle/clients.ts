import type { Settings, SettingsOverlay } from '../domain/choices/settings.ts'
import type { Generation } from '../domain/client/client.ts'
import { type Client, type ClockState, type Pace, paceOf, type WantedClock } from '../domain/client/client.ts'
import { type EndpointState, endpointAfter, goneEndpoint, newEndpoint } from '../domain/client/endpoint.ts'
import type { World } from '../domain/fixture/world.ts'
import type { KnownSecrets } from '../domain/journal/known-secrets.ts'
import type { ClientChange } from '../domain/order/decision.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { sameWhere, type Where } from '../domain/text/where.ts'
import { keyProblem } from '../domain/webhook/key-problem.ts'
import { sameText } from '../domain/webhook/signature.ts'
import type { AttemptEnd, Store } from '../store/store.ts'
import { newClock } from '../time/clock.ts'
import type { Scheduler } from '../time/scheduler.ts'
import {
  type ClientFields,
  type ClientPatch,
  type ClockBeginning,
  newClient,
  patchedClient,
  randomWebhookSecret,
} from './client-fields.ts'
import type { SettingLayers } from './setting-layers.ts'
import type { SweepBehaviours } from './sweep-behaviours.ts'
import type { TokenOwner } from './tokens.ts'
import { ClientRegistry } from './tokens.ts'
import { WorldLoader } from './world-loader.ts'

/** The lifetime of a token that only a scenario expires: a hundred years. */
const foreverMs = 100 * 365 * 86_400_000

/** Creates the clocks of new clients from the defaults. */
export class NewClocks {
  readonly #wall: () => EpochMs
  #defaults: ClockBeginning

  constructor(defaults: ClockBeginning, wall: () => EpochMs) {
    this.#defaults = defaults
    this.#wall = wall
  }

  get pace(): Pace {
    return this.#defaults
  }

  setDefaults(defaults: ClockBeginning): void {
    this.#defaults = defaults
  }

  /** Returns the defaults, overridden by the requested values. */
  with(wanted: WantedClock): ClockBeginning {
    return { ...paceOf(this.#defaults, wanted), startTime: wanted.now ?? this.#defaults.startTime }
  }

  /** Creates a clock that starts now. */
  begin({ mode, speed, startTime }: ClockBeginning = this.#defaults, wallNow = this.#wall()): ClockState {
    return newClock({ mode, speed }, wallNow, startTime)
  }
}

/** Serializes changes of clients: each one reads what the one before has written. */
class ClientTurns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#last.then(change)
    this.#last = changed.catch(() => undefined)
    return changed
  }
}

/** An in-memory index of clients and tokens over the store, because every request needs them. */
export class Clients {
  readonly #store: Store
  readonly #scheduler: Scheduler
  readonly #settings: SettingLayers
  readonly #behaviours: SweepBehaviours
  readonly #registry: ClientRegistry
  readonly newClocks: NewClocks
  /** Resets, loads and removes the data of whole clients. */
  readonly worlds: WorldLoader
  /** The queue for resets and other changes of clients from outside. */
  readonly turns = new ClientTurns()

  constructor(options: {
    store: Store
    scheduler: Scheduler
    settings: SettingLayers
    newClocks: NewClocks
    behaviours: SweepBehaviours
    onEmptied: (clientId: string | undefined) => void
    withoutLog: <T>(act: () => Promise<T>) => Promise<T>
  }) {
    const { store, scheduler } = options
    this.#store = store
    this.#scheduler = scheduler
    this.#registry = new ClientRegistry({ store, now: (clientId) => scheduler.now(clientId) })
    this.worlds = new WorldLoader({ ...options, registry: this.#registry })
    this.#settings = options.settings
    this.#behaviours = options.behaviours
    this.newClocks = options.newClocks
  }

  find(clientId: string): Client | undefined {
    return this.#registry.find(clientId)
  }

  /** @throws client_unknown */
  get(clientId: string): Client {
    const client = this.#registry.find(clientId)
    if (client === undefined) throw new EmulatorError('client_unknown', { clientId })
    return client
  }

  some(limit: number): Client[] {
    return this.#registry.some(limit)
  }

  get count(): number {
    return this.#registry.count
  }

  /** The secrets of all clients, to be hidden in the request log. */
  get secrets(): KnownSecrets {
    return this.#registry.secrets
  }

  all(): Client[] {
    return this.#registry.all()
  }

  /** The overlays over the default settings, for a client or for all: settings of the start, of run time, of the
   *  client. */
  overlaysOf(clientId?: string): SettingsOverlay[] {
    return this.#settings.under(clientId === undefined ? undefined : this.get(clientId))
  }

  get commonSettings(): Settings {
    return this.#settings.shared
  }

  /** The settings of a client under the overlay of a scenario. */
  settingsOf(clientId: string, over: SettingsOverlay = {}): Settings {
    const client = this.#registry.find(clientId)
    return client === undefined ? this.#settings.shared : this.#settings.of(client, over)
  }

  /** Makes the scheduler of each client look for due work again. */
  wakeAll(): void {
    for (const { clientId } of this.all()) this.#scheduler.wake(clientId)
  }

  /** Creates a client; missing fields get generated values.
   *  @throws client_exists, invalid_input */
  async create(fields: ClientFields = {}): Promise<Client> {
    const settings = this.#settings.of({ settings: fields.settings ?? {} })
    const client = newClient(fields, settings, this.newClocks.begin(fields.clock))
    this.#refuseKey(client)
    this.#refuseConflict(client)
    return this.turns.take(async () => {
      this.#free(client.accessToken, client.clientId)
      const generation = await this.#store.createClient(client)
      this.#registry.remember(client)
      this.#scheduler.add(client.clientId, client.clock, null, generation)
      return client
    })
  }

  /** Changes the given fields of a client. Setting its URL, even to the same one, ends a pause (N44, N72).
   *  @param generation the client's generation when the change was decided; any, if left out
   *  @throws client_unknown, client_exists, invalid_input, world_ended */
  update(clientId: string, patch: ClientPatch, generation?: Generation): Promise<Client> {
    return this.turns.take(() => {
      if (generation !== undefined && generation !== this.generationOf(clientId))
        throw new EmulatorError('world_ended')
      this.#free(patch.accessToken, clientId)
      const changed = patchedClient(this.get(clientId), patch)
      // Stored settings may conflict with newer common ones. That must not block changes of other fields, such as those
      // of the demo client at a start.
      if ((patch.apiSecret ?? patch.webhookSecret) !== undefined) this.#refuseKey(changed)
      if (patch.settings !== undefined) this.#refuseConflict(changed)
      return this.#save(changed)
    })
  }

  /** Replaces the webhook secret of a client. Until the overlap has passed on the client's clock, webhooks are signed
   *  with the secret before it too (N70).
   *  @param overlapMs default: the setting `webhook.rotation.overlap`
   *  @throws client_unknown, invalid_input if the client has this secret already */
  rotateWebhookSecret(clientId: string, rotation: SecretRotation): Promise<Client> {
    return this.#change(clientId, (client) => {
      const settings = this.settingsOf(clientId)
      const { webhookSecret = randomWebhookSecret(settings), overlapMs } = rotation
      const { webhookSecret: secret } = client
      if (webhookSecret === secret) {
        const problems = 'webhookSecret: is the present one; a rotation needs another'
        throw new EmulatorError('invalid_input', { problems })
      }
      this.#refuseKey({ ...client, webhookSecret })
      const validUntil = this.#scheduler.now(clientId) + (overlapMs ?? settings['webhook.rotation.overlap'])
      return { webhookSecret, previousWebhookSecret: { secret, validUntil } }
    })
  }

  /** Makes the client's issued tokens expire now, whatever the setting `auth.tokenExpiry` says; with `own`, its own
   *  token too, until the client gets another one. Tokens issued later are valid.
   *  @throws client_unknown */
  expireTokens(clientId: string, { own }: { own: boolean }): Promise<Client> {
    return this.turns.take(async () => {
      const client = this.get(clientId)
      const now = this.#scheduler.now(clientId)
      const saved = await this.#save({ ...client, ownTokenExpired: own || client.ownTokenExpired }, now)
      this.#registry.tokens.expireIssued(clientId, now)
      return saved
    })
  }

  /** Pauses the client's webhooks after its URL answered 410, until the URL is set again (N44). The 410 of an older
   *  URL pauses nothing. */
  pauseWebhooks(clientId: string, url: string): Promise<void> {
    return this.turns.take(async () => {
      const client = this.#registry.find(clientId)
      if (client?.webhookUrl === url) await this.#save({ ...client, ...goneEndpoint(client) })
    })
  }

  /** Stores the end of a webhook attempt, together with the count of failures in a row and the pause that may follow
   *  (N72). An attempt to an older URL does not count.
   *  @param counts false if nothing was sent
   *  @returns null if nothing was stored (see `Store.finishAttempt`) */
  async finishAttempt(
    end: AttemptEnd,
    { url, counts }: { url: string; counts: boolean },
  ): Promise<FinishedAttempt | null> {
    const { clientId } = end
    const endpoint = () => (counts ? this.#endpointAfter(end, url) : null)
    // Most clients count nothing, so their attempts end without a turn.
    if (endpoint() === null) return (await this.#store.finishAttempt(end)) ? { pausedAfter: null } : null
    return this.turns.take(async () => {
      const after = endpoint()
      if (!(await this.#store.finishAttempt({ ...end, endpoint: after ?? undefined }))) return null
      const before = this.#registry.find(clientId)
      if (before === undefined || after === null) return { pausedAfter: null }
      this.#registry.remember({ ...before, ...after })
      return { pausedAfter: before.webhookPaused ? null : after.pausedAfter }
    })
  }

  /** The state of a client's endpoint after an attempt; null if the attempt changes nothing. */
  #endpointAfter({ clientId, result }: AttemptEnd, url: string): EndpointState | null {
    const client = this.#registry.find(clientId)
    if (client === undefined || client.webhookUrl !== url) return null
    const limit = this.settingsOf(clientId)['webhook.disableAfter']
    if (limit === null && client.failedInARow === 0) return null
    return endpointAfter(client, result.outcome === 'accepted', limit)
  }

  /** Puts matching deliveries of the client on hold from now on.
   *  @throws client_unknown */
  hold(clientId: string, where: Where): Promise<Client> {
    return this.#change(clientId, ({ holds }) => ({ holds: [...without(holds, where), where] }))
  }

  /** Ends one hold, or all holds if `where` is left out.
   *  @throws client_unknown */
  endHold(clientId: string, where?: Where): Promise<Client> {
    return this.#change(clientId, ({ holds }) => ({
      holds: where === undefined ? [] : without(holds, where),
    }))
  }

  /** Ends all holds, the pause of the webhooks, and the count of failed attempts.
   *  @throws client_unknown */
  unblockWebhooks(clientId: string): Promise<Client> {
    return this.#change(clientId, () => ({ holds: [], ...newEndpoint }))
  }

  /** Loads clients with all their data, all of them or none. Clients named in `replaced` are replaced.
   *  @throws client_exists, order_exists, order_id_taken */
  load(world: World, replaced: readonly string[]): Promise<void> {
    async function* parts() {
      yield world
    }
    return this.turns.take(() => this.worlds.load(parts(), replaced, []))
  }

  /** Removes a client with all its data.
   *  @throws client_unknown */
  remove(clientId: string): Promise<void> {
    return this.turns.take(async () => {
      this.get(clientId)
      await this.worlds.remove(clientId)
    })
  }

  /** The client's current generation, under which a change is decided.
   *  @throws client_unknown */
  generationOf(clientId: string): Generation {
    const generation = this.#scheduler.generation(clientId)
    if (generation === null) throw new EmulatorError('client_unknown', { clientId })
    return generation
  }

  /** Returns the client that has these credentials.
   *  @throws bad_credentials */
  withCredentials(clientId: string, apiSecret: string): Client {
    const client = this.#registry.find(clientId)
    if (client === undefined || !sameText(client.apiSecret, apiSecret))
      throw new EmulatorError('bad_credentials')
    return client
  }

  /** Issues a token with a lifetime on the client's clock. Older tokens stay valid (N64b), unless N79 ends them.
   *  @throws bad_credentials */
  async issueToken(clientId: string, apiSecret: string): Promise<{ token: string; lifetimeMs: number }> {
    const issued = await this.worlds.decide(async () => {
      this.withCredentials(clientId, apiSecret)
      const settings = this.settingsOf(clientId)
      const lifetimeMs = settings['auth.tokenLifetime']
      const validMs = settings['auth.tokenExpiry'] === 'by-scenario' ? foreverMs : lifetimeMs
      const terms = { lifetimeMs: validMs, isOnly: settings['auth.oneToken'] }
      const generation = this.generationOf(clientId)
      return { token: await this.#registry.tokens.issue(clientId, terms, generation), lifetimeMs }
    })
    this.#behaviours.tokenGiven(clientId, issued.token)
    if (this.find(clientId)?.ownTokenExpired) await this.turns.take(() => this.#renewed(clientId))
    return issued
  }

  /** Returns the clientId of a token, even of an expired one. */
  readonly holderOf = (token: string): string | undefined => this.#registry.tokens.holderOf(token)

  /** Returns the client that currently owns a token. */
  ownerOf(token: string): TokenOwner {
    return this.#registry.tokens.ownerOf(token)
  }

  /** Whether a behaviour of a sweep rejects a valid token of the client. */
  refusesToken(clientId: string, token: string): boolean {
    return this.#behaviours.refusesToken(clientId, token)
  }

  /** Takes over the changes that an order's scenario made to a client; the store has them already. Called in the
   *  client's turn (`turns`). */
  changed(clientId: string, { tokensExpireAt, ...members }: ClientChange): void {
    const client = this.#registry.find(clientId)
    if (client === undefined) return
    this.#registry.remember({ ...client, ...members })
    if (tokensExpireAt !== null) this.#registry.tokens.expireIssued(clientId, tokensExpireAt)
    this.#scheduler.wake(clientId)
  }

  #change(clientId: string, change: (client: Client) => Partial<Client>): Promise<Client> {
    return this.turns.take(() => {
      const client = this.get(clientId)
      return this.#save({ ...client, ...change(client) })
    })
  }

  /** Makes the client's own token valid again, because it got a new one. */
  async #renewed(clientId: string): Promise<void> {
    const client = this.#registry.find(clientId)
    if (client?.ownTokenExpired) await this.#save({ ...client, ownTokenExpired: false })
  }

  /** @throws invalid_input */
  #refuseConflict(client: Client): void {
    const conflict = this.#settings.conflict(this.#settings.common, client)
    if (conflict !== undefined)
      throw new EmulatorError('invalid_input', { problems: `settings.${conflict.name}: ${conflict.message}` })
  }

  /** Rejects secrets that the settings cannot read as a key.
   *  @throws invalid_input */
  #refuseKey(client: Client): void {
    const problem = keyProblem(this.#settings.of(client), client)
    if (problem === undefined) return
    const { name, field, message } = problem
    const place = name === 'webhook.auth' ? field : name
    throw new EmulatorError('invalid_input', { problems: `${place}: ${message}` })
  }

  /** Issued tokens stay issued: no client can take one as its own. */
  #free(accessToken: string | undefined, clientId: string): void {
    if (accessToken !== undefined && this.#registry.tokens.wasIssued(accessToken)) {
      throw new EmulatorError('client_exists', { clientId })
    }
  }

  /** @param tokensEndAt when the client's issued tokens expire at the latest; left out to keep their times */
  async #save(client: Client, tokensEndAt?: EpochMs): Promise<Client> {
    const saved = { ...client, clock: this.#scheduler.clockState(client.clientId) }
    await this.#store.saveClient(saved, tokensEndAt)
    this.#registry.remember(saved)
    this.#scheduler.wake(client.clientId)
    return saved
  }
}

const without = (holds: readonly Where[], where: Where) => holds.filter((each) => !sameWhere(each, where))

/** The effect of a stored attempt on its client. */
export interface FinishedAttempt {
  /** The number of failures in a row, if this attempt has paused the client's webhooks; else null. */
  readonly pausedAfter: number | null
}

/** How a webhook secret is rotated; missing fields get defaults. */
interface SecretRotation {
  readonly webhookSecret?: string | undefined
  readonly overlapMs?: number | undefined
}

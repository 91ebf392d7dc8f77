import { randomBytes } from 'node:crypto'
import type { Settings, SettingsOverlay } from '../domain/choices/settings.ts'
import { mergeOverlay } from '../domain/choices/settings.ts'
import type { Generation } from '../domain/client/client.ts'
import {
  beginningOf,
  type Client,
  type ClockState,
  type Pace,
  paceOf,
  type WantedClock,
} from '../domain/client/client.ts'
import type { World } from '../domain/fixture/world.ts'
import type { KnownSecrets } from '../domain/journal/known-secrets.ts'
import type { ClientChange } from '../domain/order/decision.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { sameWhere, type Where } from '../domain/text/where.ts'
import { sameText } from '../domain/webhook/signature.ts'
import type { Store } from '../store/store.ts'
import { newClock } from '../time/clock.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { SettingLayers } from './setting-layers.ts'
import type { SweepBehaviours } from './sweep-behaviours.ts'
import type { TokenOwner } from './tokens.ts'
import { ClientRegistry } from './tokens.ts'
import { WorldLoader } from './world-loader.ts'

/** How a client's clock begins. */
interface ClockBeginning extends Pace {
  /** What it reads then; the machine's time if left out. */
  readonly startTime?: EpochMs | undefined
}

/** How the clocks of clients made from now on begin. */
export class NewClocks {
  readonly #wall: () => EpochMs
  #defaults: ClockBeginning

  constructor(defaults: ClockBeginning, wall: () => EpochMs) {
    this.#defaults = defaults
    this.#wall = wall
  }

  /** Their pace, if nothing else is wanted. */
  get pace(): Pace {
    return this.#defaults
  }

  setDefaults(defaults: ClockBeginning): void {
    this.#defaults = defaults
  }

  /** The defaults, with what is wanted laid over. */
  with(wanted: WantedClock): ClockBeginning {
    return { ...paceOf(this.#defaults, wanted), startTime: wanted.now ?? this.#defaults.startTime }
  }

  /** A clock that begins at this moment. */
  begin({ mode, speed, startTime }: ClockBeginning = this.#defaults, wallNow = this.#wall()): ClockState {
    return newClock({ mode, speed }, wallNow, startTime)
  }
}

/** The turns that changes of clients take: each reads what the one before has written. */
class ClientTurns {
  #last: Promise<unknown> = Promise.resolve()

  /** Makes a change in its turn. */
  take<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#last.then(change)
    this.#last = changed.catch(() => undefined)
    return changed
  }
}

/** The clients and their tokens, kept in memory over the store: every request asks for them. */
export class Clients {
  readonly #store: Store
  readonly #scheduler: Scheduler
  readonly #settings: SettingLayers
  readonly #behaviours: SweepBehaviours
  readonly #registry: ClientRegistry
  readonly newClocks: NewClocks
  /** Whole worlds that come and go. */
  readonly worlds: WorldLoader
  /** What changes clients otherwise (a reset) takes its turn here too. */
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

  /** The first few clients. */
  some(limit: number): Client[] {
    return this.#registry.some(limit)
  }

  get count(): number {
    return this.#registry.count
  }

  /** What nobody else is to see of the clients. */
  get secrets(): KnownSecrets {
    return this.#registry.secrets
  }

  all(): Client[] {
    return this.#registry.all()
  }

  /** What is laid over the defaults, for a client or for all: the common settings of the start, those of run time,
   *  then the client's own. */
  overlaysOf(clientId?: string): SettingsOverlay[] {
    return this.#settings.under(clientId === undefined ? undefined : this.get(clientId))
  }

  /** The settings that hold for all clients. */
  get commonSettings(): Settings {
    return this.#settings.shared
  }

  /** The common settings with the client's own laid over, and those of a scenario over these. */
  settingsOf(clientId: string, over: SettingsOverlay = {}): Settings {
    const client = this.#registry.find(clientId)
    return client === undefined ? this.#settings.shared : this.#settings.of(client, over)
  }

  /** Says that what is due may be due otherwise, for all of them. */
  wakeAll(): void {
    for (const { clientId } of this.all()) this.#scheduler.wake(clientId)
  }

  /** Makes a client; what `fields` lacks is made up. @throws client_exists, invalid_input */
  async create(fields: ClientFields = {}): Promise<Client> {
    const client = newClient(fields, this.newClocks.begin(fields.clock))
    this.#refuseConflict(client)
    return this.turns.take(async () => {
      this.#free(client.accessToken, client.clientId)
      const generation = await this.#store.createClient(client)
      this.#registry.remember(client)
      this.#scheduler.add(client.clientId, client.clock, null, generation)
      return client
    })
  }

  /** Changes what is given of a client. Setting its URL, even to the same one, ends a pause (N44).
   *  @param generation of the world that it was decided in; whichever there is, if left out
   *  @throws client_unknown, client_exists, invalid_input, world_ended */
  update(clientId: string, patch: ClientPatch, generation?: Generation): Promise<Client> {
    return this.turns.take(() => {
      if (generation !== undefined && generation !== this.generationOf(clientId))
        throw new EmulatorError('world_ended')
      this.#free(patch.accessToken, clientId)
      const changed = patchedClient(this.get(clientId), patch)
      // What has been stored may have come into conflict by other common settings; it keeps no other change from being
      // made, the demo client's at the start least of all.
      if (patch.settings !== undefined) this.#refuseConflict(changed)
      return this.#save(changed)
    })
  }

  /** Sends nothing more to the client's URL until it is set again: it answered 410 (N44). An answer of a URL that
   *  the client no longer has pauses nothing. */
  pauseWebhooks(clientId: string, url: string): Promise<void> {
    return this.turns.take(async () => {
      const client = this.#registry.find(clientId)
      if (client?.webhookUrl === url) await this.#save({ ...client, webhookPaused: true })
    })
  }

  /** Keeps back, from now on, those of the client's deliveries that fit. @throws client_unknown */
  hold(clientId: string, where: Where): Promise<Client> {
    return this.#change(clientId, ({ holds }) => ({ holds: [...without(holds, where), where] }))
  }

  /** Ends a hold; without `where` all of them. @throws client_unknown */
  endHold(clientId: string, where?: Where): Promise<Client> {
    return this.#change(clientId, ({ holds }) => ({
      holds: where === undefined ? [] : without(holds, where),
    }))
  }

  /** Ends what keeps the client's webhooks back: its holds, and the pause after a 410. @throws client_unknown */
  unblockWebhooks(clientId: string): Promise<Client> {
    return this.#change(clientId, () => ({ holds: [], webhookPaused: false }))
  }

  /** Takes in clients with their whole worlds, all of them or none. Those of `givingWay` that are here give way to them.
   *  @throws client_exists, order_exists, order_id_taken */
  takeIn(world: World, givingWay: readonly string[]): Promise<void> {
    async function* parts() {
      yield world
    }
    return this.turns.take(() => this.worlds.load(parts(), givingWay, []))
  }

  /** Removes a client and its whole world. @throws client_unknown */
  remove(clientId: string): Promise<void> {
    return this.turns.take(async () => {
      this.get(clientId)
      await this.worlds.remove(clientId)
    })
  }

  /** Of the client's world at this moment, for what is decided in it. @throws client_unknown */
  generationOf(clientId: string): Generation {
    const generation = this.#scheduler.generation(clientId)
    if (generation === null) throw new EmulatorError('client_unknown', { clientId })
    return generation
  }

  /** The client that has these credentials. @throws bad_credentials */
  withCredentials(clientId: string, apiSecret: string): Client {
    const client = this.#registry.find(clientId)
    if (client === undefined || !sameText(client.apiSecret, apiSecret))
      throw new EmulatorError('bad_credentials')
    return client
  }

  /** Gives out a token with a lifetime on the client's clock; older ones stay valid until they expire (N64b).
   *  @throws bad_credentials */
  async issueToken(clientId: string, apiSecret: string): Promise<{ token: string; lifetimeMs: number }> {
    const issued = await this.worlds.decide(async () => {
      this.withCredentials(clientId, apiSecret)
      const lifetimeMs = this.settingsOf(clientId)['auth.tokenLifetime']
      const generation = this.generationOf(clientId)
      return { token: await this.#registry.tokens.issue(clientId, lifetimeMs, generation), lifetimeMs }
    })
    this.#behaviours.tokenGiven(clientId, issued.token)
    if (this.find(clientId)?.ownTokenExpired) await this.turns.take(() => this.#renewed(clientId))
    return issued
  }

  /** Whose token this is at this moment. */
  ownerOf(token: string): TokenOwner {
    return this.#registry.tokens.ownerOf(token)
  }

  /** Whether a behaviour has a good token of the client refused. */
  refusesToken(clientId: string, token: string): boolean {
    return this.#behaviours.refusesToken(clientId, token)
  }

  /** Takes over what an order's scenario has made of a client; the store has it already. Called in the client's turn
   *  (`turns`). */
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

  /** The client has got a new token, so that its own is good again. */
  async #renewed(clientId: string): Promise<void> {
    const client = this.#registry.find(clientId)
    if (client?.ownTokenExpired) await this.#save({ ...client, ownTokenExpired: false })
  }

  /** @throws invalid_input */
  #refuseConflict({ settings }: Client): void {
    const conflict = this.#settings.conflict(this.#settings.common, settings)
    if (conflict !== undefined)
      throw new EmulatorError('invalid_input', { problems: `settings.${conflict.name}: ${conflict.message}` })
  }

  /** A token that was given out stays what it is; no client can have it as its own. */
  #free(accessToken: string | undefined, clientId: string): void {
    if (accessToken !== undefined && this.#registry.tokens.wasIssued(accessToken)) {
      throw new EmulatorError('client_exists', { clientId })
    }
  }

  async #save(client: Client): Promise<Client> {
    const saved = { ...client, clock: this.#scheduler.clockState(client.clientId) }
    await this.#store.saveClient(saved)
    this.#registry.remember(saved)
    this.#scheduler.wake(client.clientId)
    return saved
  }
}

const without = (holds: readonly Where[], where: Where) => holds.filter((each) => !sameWhere(each, where))

/** What may be changed of a client; what is undefined stays as it is. Settings are laid over those it has, and
 *  `null` takes one away. */
interface ClientPatch {
  readonly apiSecret?: string | undefined
  readonly accessToken?: string | undefined
  readonly webhookSecret?: string | undefined
  readonly webhookUrl?: string | null | undefined
  readonly defaultScenario?: string | undefined
  readonly settings?: SettingsOverlay | undefined
}

/** What may be given about a new client; the rest is made up. */
interface ClientFields extends ClientPatch {
  readonly clientId?: string | undefined
  readonly clock?: ClockBeginning | undefined
}

/** A new client; what `fields` lacks is made up. */
function newClient(fields: ClientFields, clock: ClockState): Client {
  return {
    clientId: fields.clientId ?? `client-${randomBytes(6).toString('hex')}`,
    apiSecret: fields.apiSecret ?? randomBytes(24).toString('base64url'),
    accessToken: fields.accessToken ?? randomBytes(24).toString('base64url'),
    webhookSecret: fields.webhookSecret ?? `whsec_${randomBytes(24).toString('base64')}`,
    webhookUrl: fields.webhookUrl ?? null,
    webhookPaused: false,
    holds: [],
    ownTokenExpired: false,
    tokensRefusedUntil: null,
    defaultScenario: fields.defaultScenario ?? 'happy',
    clock,
    began: beginningOf(clock),
    settings: fields.settings ?? {},
  }
}

/** A client as a patch makes it. Setting its URL, even to the same one, ends a pause (N44). */
function patchedClient(before: Client, patch: ClientPatch): Client {
  return {
    ...before,
    apiSecret: patch.apiSecret ?? before.apiSecret,
    accessToken: patch.accessToken ?? before.accessToken,
    ownTokenExpired: patch.accessToken === undefined && before.ownTokenExpired,
    webhookSecret: patch.webhookSecret ?? before.webhookSecret,
    defaultScenario: patch.defaultScenario ?? before.defaultScenario,
    settings: patch.settings === undefined ? before.settings : mergeOverlay(before.settings, patch.settings),
    webhookUrl: patch.webhookUrl === undefined ? before.webhookUrl : patch.webhookUrl,
    webhookPaused: patch.webhookUrl === undefined && before.webhookPaused,
  }
}

import type { SettingsOverlay } from '../domain/choices/settings.ts'
import type { Client, ClockState, Generation, IssuedToken } from '../domain/client/client.ts'
import type {
  DeliveryFault,
  FaultCount,
  FaultsMet,
  FittingFault,
  StoredFault,
} from '../domain/faults/planned-fault.ts'
import type { WorldPart } from '../domain/fixture/world.ts'
import type { JournalEntry } from '../domain/journal/entry.ts'
import type { Binding, Decision } from '../domain/order/decision.ts'
import type { HistoryEntry, Order } from '../domain/order/order.ts'
import type { CountedRule } from '../domain/scenario/answer-faults.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Where } from '../domain/text/where.ts'
import type { AttemptResult, ClaimedDelivery, Delivery, NewDelivery } from '../domain/webhook/delivery.ts'
import type { JournalBound } from './journal-bound.ts'

/** What outlives a request: the only way to the data of the emulator.
 *
 *  Each verb is one transaction. It resolves once that is committed; if it rejects, nothing has changed. Arguments and
 *  answers are plain data. `test/store/conformance.ts` holds every implementation to what is written here.
 *
 *  - **Order.** The verbs of one process take effect in the order of their calls, whether their promises have been
 *    awaited or not. What is read is as of a moment after the call.
 *  - **Generations.** Each client's world has a number, its generation. Making, emptying or replacing the world gives it
 *    a higher one, and no other world ever has the same. Whoever decides something hands in the generation that he
 *    decided under; if the world has another one by then, or is gone, the verb throws `world_ended` and he decides
 *    anew. So nothing of an old world follows the verb that ended it.
 *  - **Errors** are `EmulatorError`s with the code that the verb names; a full disk is `disk_full`. A list throws
 *    `bad_cursor` for a cursor that none of its pages gave. */
export interface Store {
  // ---- start and end -----------------------------------------------------------------------------

  /** Called once, before all others, by whoever takes up the work; also by one that follows another in the same process.
   *  It ends what the one before has left open: what was in flight is due again at its old due time, with that attempt
   *  as `unknown`; what waited for the answer of a create call is due at its creation, or as much later as its plan
   *  says. Answers the seed, which is `seed` if there was none before. */
  begin(seed: string): Promise<string>
  /** Completes what was called before. Every later call rejects; closing again does nothing. */
  close(): Promise<void>

  // ---- clients -----------------------------------------------------------------------------------

  /** Adds a client, and begins its world. Throws `client_exists` if its clientId is taken, or its access token opens
   *  another client: it is that client's own, or was given out to it. */
  createClient(client: Client): Promise<Generation>
  /** Replaces a client's record but for `clientId` and `began`; its world stays. Throws `client_unknown`;
   *  `client_exists` if its access token opens another client. */
  saveClient(client: Client): Promise<void>
  /** Removes a client with its world (see `reset`). Throws `client_unknown`. */
  deleteClient(clientId: string): Promise<void>
  /** All clients, in the order of their making. */
  clients(): Promise<KeptClient[]>
  /** Moves the clocks of several clients; passes over those whose world has another generation by now. */
  saveClocks(clocks: readonly KeptClock[]): Promise<void>

  // ---- access tokens -----------------------------------------------------------------------------

  /** Keeps a token that was given out, and forgets those of its client that expired before `forgetBefore`.
   *  Throws `world_ended`; `client_exists` if the token was given out before, or is another client's own. */
  saveToken(token: IssuedToken, generation: Generation, forgetBefore: EpochMs): Promise<void>
  /** The tokens that were given out and not forgotten, oldest first. */
  tokens(): Promise<IssuedToken[]>

  // ---- orders ------------------------------------------------------------------------------------

  /** Writes a decision, all of it or nothing: the order, its history, the deliveries of its events, the binding that it
   *  uses up, what happens to its client, and the order that begins with it.
   *  For a new order (version 1) it throws `order_exists` if the requestId has an order of that charge, or is another
   *  client's where it must be unique among all; `order_id_taken`; and `binding_used`. For a later version, of which the
   *  identity (orderId, requestId, clientId, charge, token) is not written again, `stale_order` if the version below it
   *  is not the one that is kept. Throws `world_ended`. */
  commit(decision: Decision, generation: Generation): Promise<void>
  findOrder(orderId: string): Promise<Order | null>
  /** The order whose payment page this token opens. */
  findOrderByToken(token: string): Promise<Order | null>
  /** A client's orders under one requestId, by charge. */
  ordersOf(clientId: string, requestId: string): Promise<Order[]>
  /** Whether a client other than this one has used the requestId (N16). */
  usedByAnotherClient(clientId: string, requestId: string): Promise<boolean>
  /** Orders in the order of their making. */
  listOrders(query: ListQuery): Promise<Page<Order>>
  /** The users of orders, by clientId and key; the other way round with `newestFirst`. */
  listUsers(query: Pick<ListQuery, 'clientId' | 'cursor' | 'limit' | 'newestFirst'>): Promise<Page<User>>
  /** What has become of some orders, by orderId; unknown ones are left out. Simulations that name an order count if they
   *  are its client's. */
  pastsOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, OrderPast>>
  /** A client's orders whose next step is due at or before `until`, by due time, then in the order of their making. */
  dueOrders(clientId: string, until: EpochMs, limit: number): Promise<Order[]>
  /** The ids of those orders; only of those in `among`, if that is given. */
  ordersDue(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** When the client's earliest step is due, of those due later than `after` if that is given; null if none is. */
  nextOrderDue(clientId: string, after?: EpochMs): Promise<EpochMs | null>

  // ---- scenarios ---------------------------------------------------------------------------------

  /** Keeps a compiled scenario under the hash of its content; keeping it again changes nothing. */
  saveScenarioVersion(version: string, compiled: CompiledScenario): Promise<void>
  findScenarioVersion(version: string): Promise<CompiledScenario | null>
  /** Keeps the text of a scenario that came over the control API, in place of an earlier one of its id. */
  saveScenarioText(id: string, text: string): Promise<void>
  /** Forgets one of those texts, if it is there. */
  deleteScenarioText(id: string): Promise<void>
  /** Those texts, by id. */
  scenarioTexts(): Promise<ScenarioText[]>
  /** Plans a scenario for coming orders. */
  addBinding(binding: Binding): Promise<void>
  /** The binding that a new order would take: the most particular first (client and requestId, requestId, client, any),
   *  among equals the oldest; null if none fits. */
  bindingFor(clientId: string, requestId: string): Promise<Binding | null>
  /** Bindings that are not used up, oldest first; of all clients, or those that belong to one. */
  listBindings(query: ListQuery): Promise<Page<Binding>>
  /** Takes bindings back: all, those that belong to a client, or the one of an id; answers how many. */
  deleteBindings(which: { id?: string | undefined; clientId?: string | undefined }): Promise<number>
  /** Counts a call for the rules of a scenario that fit it: in their order, each that is not over (`verdictOf`), up to
   *  the first that answers it. Answers that rule and how many calls it has counted with this one; null if none answers.
   *  The counts are of client, requestId, scenario and rule, whether there is an order or not.
   *  Where one answers, and the scenario comes from a binding that is not for this requestId alone, the requestId gets
   *  one of its orders: `pins` says which part. Throws `binding_used`, and counts nothing, if there is none left or that
   *  part is kept already; `world_ended`. */
  countAnswer(call: CountedCall): Promise<{ rule: CountedRule; calls: number } | null>

  // ---- planned faults ----------------------------------------------------------------------------

  /** Adds a fault that nothing has met yet. Its id follows from the seed and from how many were planned before it, of its
   *  client or of all, since that world began (`faultId`). Throws `client_unknown`. */
  addFault(fault: Omit<StoredFault, 'id'>, seed: string): Promise<StoredFault & FaultCount>
  /** All faults, oldest first. */
  faults(): Promise<(StoredFault & FaultCount)[]>
  /** Counts a call for the faults that fit it: in their order, each that is not over (`faultVerdict`), up to the first
   *  that is done to it, which is `hit`. Those that are no longer there are passed over. */
  countFault(fitting: readonly FittingFault[]): Promise<FaultsMet & { hit: FaultCount | null }>
  /** Removes faults: all, those that belong to a client, or the one of an id; answers how many. */
  deleteFaults(which: { id?: string | undefined; clientId?: string | undefined }): Promise<number>

  // ---- deliveries --------------------------------------------------------------------------------
  //
  // A delivery is claimable when it is pending, not in flight, due, and no earlier delivery of its order (lower
  // `sequence`) that is due too, or waits for an answer, is still before the end of its first attempt. Retries block
  // nothing, nor does what is delayed (N46).

  /** Adds a delivery that belongs to no change of an order. Throws `delivery_exists` if its id is taken; `world_ended`. */
  addDelivery(delivery: NewDelivery, generation: Generation): Promise<void>
  /** Adds a delivery that is sent by hand, past the queue: `dead` until an attempt is accepted, with its attempts written
   *  as `unknown`. Throws `delivery_exists`, `world_ended`. */
  addByHand(delivery: NewDelivery, sent: SentByHand, generation: Generation): Promise<void>
  /** Finishes an attempt of such a delivery; one that was accepted makes it `delivered`. Answers false, and changes
   *  nothing, if the delivery is gone or its world has ended. */
  finishByHand(end: AttemptEnd): Promise<boolean>
  /** Makes the order's deliveries that wait for the answer of its create call due at `now`, or as much later as their
   *  plans say. Throws `world_ended`. */
  releaseAnswer(
    order: Pick<Order, 'orderId' | 'clientId'>,
    now: EpochMs,
    generation: Generation,
  ): Promise<void>
  /** When the client's earliest claimable delivery is due (in the past or in the future), of those due later than
   *  `after` if that is given; null if none is. Seen from `now`: an earlier event of its order that is due later than
   *  both does not hold a delivery up. */
  nextDeliveryDue(clientId: string, now: EpochMs, after?: EpochMs): Promise<EpochMs | null>
  /** The ids of the orders that have a pending delivery due at or before `until`, also one that is in flight or waits
   *  behind an earlier one; only of those in `among`, if that is given. */
  ordersWithDeliveriesDue(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** Claims up to `limit` claimable deliveries, by due time, then in the order of their making: marks each as in flight,
   *  raises its attempt number and writes that attempt as `unknown`.
   *  Those that a hold fits are not claimed but become `held`, and then nothing is claimed yet: ask again.
   *  An attempt meets one planned fault at most, which is counted as `countFault` does, and becomes part of the
   *  delivery's plan. What one delays is put off instead of claimed: `late` is how many are, and then ask again.
   *  Throws `world_ended`. */
  claimDeliveries(claim: DeliveryClaim): Promise<Claimed>
  /** Makes claimable deliveries that fit a hold `held`; answers their ids, and none when there are none (left).
   *  Throws `world_ended`. */
  holdDeliveries(due: DueDeliveries & { readonly holds: readonly Where[] }): Promise<string[]>
  /** Makes held deliveries of the client that fit due at `now`; no hold keeps back their next attempt. It goes through
   *  them in the order of their making, a part at a time, and answers the ids of those that it made due: as long as
   *  `next` is no null, call again with it as `after`. */
  releaseDeliveries(
    clientId: string,
    where: Where,
    now: EpochMs,
    after?: number,
  ): Promise<{ released: string[]; next: number | null }>
  /** Makes a delivery, whatever became of it, due at `now` for one more attempt, which no hold keeps back.
   *  Throws `delivery_unknown`; `delivery_in_flight` during an attempt. */
  resendDelivery(id: string, now: EpochMs): Promise<Delivery>
  /** Marks up to `limit` claimable deliveries as `skipped`, because no URL is registered. Throws `world_ended`. */
  skipDeliveries(due: DueDeliveries & { readonly limit: number }): Promise<Delivery[]>
  /** Finishes an attempt and settles its delivery. Answers false, and changes nothing, if the delivery is gone, no longer
   *  in that attempt, or its world has ended. */
  finishAttempt(end: AttemptEnd): Promise<boolean>
  findDelivery(id: string): Promise<Delivery | null>
  /** How many deliveries under a requestId belong to no change of an order. */
  countSimulations(clientId: string, requestId: string): Promise<number>
  /** Deliveries in the order of their making. */
  listDeliveries(query: ListQuery): Promise<Page<Delivery>>

  // ---- request log -------------------------------------------------------------------------------

  /** Appends entries and prunes what is beyond the bound: the oldest of those clients that have most. `dropped` more were
   *  pruned before they came here. */
  appendRequests(entries: readonly JournalEntry[], keep: JournalBound, dropped?: number): Promise<void>
  findRequest(id: string): Promise<JournalEntry | null>
  /** Entries in the order of their coming, and how many were pruned since the beginning. */
  listRequests(query: ListQuery): Promise<Page<JournalEntry> & { readonly pruned: number }>

  // ---- the whole ---------------------------------------------------------------------------------

  /** How much there is, in all or of one client. */
  standing(clientId?: string): Promise<Standing>
  /** Counts the orders and deliveries of each client by status. It looks at everything, a part at a time, so what changes
   *  meanwhile is counted as it was or as it is: the only verb that is not of one moment. */
  census(): Promise<Census>
  /** The settings of all clients that were set at run time. */
  commonSettings(): Promise<SettingsOverlay>
  /** Replaces them. */
  saveCommonSettings(settings: SettingsOverlay): Promise<void>
  /** Empties the world of one client or of all: orders, deliveries, tokens, bindings, faults, the counts of both, what
   *  scenarios have made of tokens, the request log; of all, the common settings too. `clients` removes the clients
   *  themselves, `scenarios` the scenario texts, which belong to no client and go even if one is named. The seed, scenario versions and the count of pruned entries stay.
   *  Answers the new generations of those that are still there; an unknown client is passed over. */
  reset(scope: ResetScope): Promise<Generations>
  /** Adds clients with their worlds, all of it or nothing; those that are to be `replaced` are removed first, as
   *  `deleteClient` does, and unknown ones are passed over. With `all`, everything is removed, and what there is once is
   *  as the world has it in `common`; without that it is as in a new store, but for the seed. Scenario versions stay.
   *  @param world is read once, and closed (`return`) if `load` fails. Parts come in the order of the members of `World`.
   *    If it throws, `load` does
   *  @returns the generations of those that came
   *  @throws client_exists if a clientId or a token is taken (see `createClient` and `saveToken`), order_exists as `commit`
   *    does, order_id_taken, snapshot_taken if anything else has the id of another, or the same is counted twice */
  load(world: AsyncIterable<WorldPart>, replaced: readonly string[] | 'all'): Promise<Generations>
  /** All that there is at this moment, or all of one client, without what there is once; of scenario versions those that
   *  its orders follow. It resolves when the moment has come. What is then read, a part at a time and once, shows that
   *  moment, whatever comes meanwhile; whoever does not read it to the end calls `return`. */
  snapshot(clientId?: string): Promise<AsyncIterableIterator<WorldPart, undefined>>
}

/** By clientId. */
export type Generations = ReadonlyMap<string, Generation>

/** A client as it is kept. */
export interface KeptClient {
  readonly client: Client
  readonly generation: Generation
  /** The latest `createdAt` of its orders; null without orders. Its clock must not start below. */
  readonly newestMoment: EpochMs | null
}

/** A clock as it is to be kept. */
export interface KeptClock {
  readonly clientId: string
  readonly generation: Generation
  readonly clock: ClockState
}

/** A scenario that came over the control API, as it was written. */
export interface ScenarioText {
  readonly id: string
  readonly text: string
}

/** A scenario as it is kept for the orders that follow it. */
export interface CompiledScenario {
  readonly scenarioJson: string
  /** Of its compiled form. */
  readonly format: number
}

/** What has become of an order. */
export interface OrderPast {
  /** Oldest first. */
  readonly history: readonly HistoryEntry[]
  /** In the order of their making. */
  readonly deliveryIds: readonly string[]
}

/** How much there is at this moment. */
export interface Standing {
  readonly orders: number
  readonly pendingDeliveries: number
  readonly heldDeliveries: number
  /** Entries of the request log, and those that were pruned since the beginning; null where one client is asked for. */
  readonly keptRequests: number | null
  readonly prunedRequests: number | null
}

/** How many there are of each client, by status; a client that has none is not there. */
export interface Census {
  readonly orders: ReadonlyMap<string, Readonly<Record<string, number>>>
  readonly deliveries: ReadonlyMap<string, Readonly<Record<string, number>>>
}

/** A call that rules of a scenario fit. */
export interface CountedCall {
  readonly clientId: string
  readonly generation: Generation
  readonly requestId: string
  readonly scenarioId: string
  /** On the client's clock. */
  readonly at: EpochMs
  readonly rules: readonly CountedRule[]
  /** The binding that chose the scenario, and what of it is to be kept for the requestId. */
  readonly pins?: { readonly from: string; readonly pinned: Binding } | undefined
}

/** A client's claimable deliveries that are due at or before `until`. */
export interface DueDeliveries {
  readonly clientId: string
  readonly generation: Generation
  readonly until: EpochMs
}

export interface DeliveryClaim extends DueDeliveries {
  /** The moment that the attempts are stamped with. */
  readonly now: EpochMs
  readonly wallNow: EpochMs
  /** Where the attempts are going. */
  readonly url: string
  readonly limit: number
  /** What is kept back. */
  readonly holds: readonly Where[]
  /** Those that may be done to attempts, the oldest first; none if left out. */
  readonly faults?: readonly DeliveryFault[] | undefined
}

export interface Claimed {
  readonly claimed: ClaimedDelivery[]
  /** Their ids. */
  readonly held: string[]
  readonly late: number
  readonly met: FaultsMet
}

/** How a delivery is sent by hand. */
export interface SentByHand {
  readonly url: string
  readonly at: EpochMs
  readonly wallAt: EpochMs
  /** Attempts. */
  readonly copies: number
}

/** The end of an attempt. */
export interface AttemptEnd {
  readonly deliveryId: string
  readonly clientId: string
  readonly generation: Generation
  /** Its number. */
  readonly attempt: number
  readonly result: AttemptResult
}

/** What goes back to its beginning. */
export interface ResetScope {
  readonly clientId?: string | undefined
  readonly clients: boolean
  readonly scenarios?: boolean | undefined
}

/** Filters are equalities; a missing one filters nothing. */
export interface ListQuery {
  readonly clientId?: string | undefined
  readonly requestId?: string | undefined
  readonly orderId?: string | undefined
  readonly status?: string | undefined
  readonly operation?: string | undefined
  /** Further equalities, on the members that `listMembers` names, compared as texts. A text may end in `*`. A member that
   *  the things of the list do not have fits nothing, and bindings have none. */
  readonly where?: Readonly<Record<string, string>> | undefined
  /** Part of one of its texts, in small letters or large ones: of an order's requestId, orderId, email or userId; of a
   *  delivery's requestId, orderId, id or webhookId; of a request's requestId, id or path. */
  readonly search?: string | undefined
  /** What `next` of the page before said. */
  readonly cursor?: string | undefined
  readonly limit: number
  /** Oldest first unless true. */
  readonly newestFirst?: boolean | undefined
}

/** Somebody for whom orders were made. */
export interface User {
  readonly clientId: string
  /** The `userId`, or the e-mail of those without one (R29). */
  readonly userKey: string
  readonly email: string
  readonly userId?: string | undefined
  /** How many. */
  readonly orders: number
}

export interface Page<T> {
  readonly items: T[]
  /** Cursor of the next page; null at the end. A page may be short, or empty, and have a next one: so that nobody waits
   *  for long, what no index finds is looked for a part at a time. */
  readonly next: string | null
}

import type { SettingsOverlay } from '../domain/choices/settings.ts'
import type { Client, ClockState, Generation, IssuedToken } from '../domain/client/client.ts'
import type { EndpointState } from '../domain/client/endpoint.ts'
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
import type { CountedRule } from '../domain/scenario/answer-rules.ts'
import type { EpochMs } from '../domain/text/time.ts'
import type { Where } from '../domain/text/where.ts'
import type { BatchForm } from '../domain/webhook/batch-form.ts'
import type { AttemptResult, ClaimedDelivery, Delivery, NewDelivery } from '../domain/webhook/delivery.ts'
import type { JournalBound } from './journal-bound.ts'

/** The store: the only way to the data of the emulator. `test/store/conformance` holds each implementation to this
 *  contract.
 *
 *  Each verb is one transaction. Its promise resolves after the commit; if it rejects, nothing has changed. Arguments and
 *  results are plain data.
 *
 *  - **Order.** The verbs of one process take effect in the order of their calls, whether awaited or not. A read sees
 *    each write that was called before it.
 *  - **Generations.** Each client has a generation, a number that never occurs twice. Creating, emptying or replacing a
 *    client raises it. A write carries the generation that it was decided under. If the client has another one by
 *    then, or is gone, the verb throws `world_ended`, and the caller decides again. So no write from before a reset
 *    takes effect after it.
 *  - **Errors** are `EmulatorError`s with the code that the verb names; a full disk is `disk_full`. A list throws
 *    `bad_cursor` for a cursor that none of its pages gave. */
export interface Store {
  // ---- start and end -----------------------------------------------------------------------------

  /** Called once, before all others, by the engine that takes over; also by one that follows another in the same
   *  process. Ends work that was left open: deliveries in flight are due again at their old due time, with that
   *  attempt as `unknown`; deliveries that waited for the answer of a create call are due at their creation, or
   *  later by their plan. Resolves with the seed, which is `seed` if there was none. */
  begin(seed: string): Promise<string>
  /** Completes earlier calls. Every later call rejects; closing again does nothing. */
  close(): Promise<void>

  // ---- clients -----------------------------------------------------------------------------------

  /** Adds a client under a new generation. Throws `client_exists` if its clientId is taken, or if its access token
   *  is another client's own or was issued to one. */
  createClient(client: Client): Promise<Generation>
  /** Replaces a client's record except `clientId` and `began`; its data stays. Throws `client_unknown`;
   *  `client_exists` if its access token belongs to another client.
   *  @param tokensEndAt when the client's issued tokens expire at the latest; left out to keep their times */
  saveClient(client: Client, tokensEndAt?: EpochMs): Promise<void>
  /** Removes a client with its data (see `reset`). Throws `client_unknown`. */
  deleteClient(clientId: string): Promise<void>
  /** Returns all clients, in the order of their creation. */
  clients(): Promise<StoredClient[]>
  /** Stores the clocks of several clients; ignores clients whose generation has changed. */
  saveClocks(clocks: readonly StoredClock[]): Promise<void>

  // ---- access tokens -----------------------------------------------------------------------------

  /** Stores an issued token, and removes those of its client that expired before `forgetBefore`. Throws
   *  `world_ended`; `client_exists` if the token was issued before, or is another client's own.
   *  @param othersEndAt when the client's other issued tokens expire at the latest; left out to keep their times */
  saveToken(
    token: IssuedToken,
    generation: Generation,
    forgetBefore: EpochMs,
    othersEndAt?: EpochMs,
  ): Promise<void>
  /** Returns the stored issued tokens, oldest first. */
  tokens(): Promise<IssuedToken[]>

  // ---- orders ------------------------------------------------------------------------------------

  /** Writes a decision, all or nothing: the order, its history, the deliveries of its events, the planned scenario
   *  that it uses up, the change of its client, and the order that starts with it. A new order (version 1) throws
   *  `order_exists` if the requestId has an order of that charge, or is another client's where it must be globally
   *  unique; `order_id_taken`; and `binding_used`. A later version throws `stale_order` if the stored version is not
   *  the one below it; its identity (orderId, requestId, clientId, charge, token) is not written again. Throws
   *  `world_ended`. */
  commit(decision: Decision, generation: Generation): Promise<void>
  findOrder(orderId: string): Promise<Order | null>
  /** Returns the order whose payment page a token opens. */
  findOrderByToken(token: string): Promise<Order | null>
  /** Returns a client's orders with one requestId, sorted by charge: a subscription has an order for each charge. */
  ordersOf(clientId: string, requestId: string): Promise<Order[]>
  /** Whether another client has used the requestId (N16). */
  usedByAnotherClient(clientId: string, requestId: string): Promise<boolean>
  /** Lists orders in the order of their creation. */
  listOrders(query: ListQuery): Promise<Page<Order>>
  /** Lists the users of orders, by clientId and key; in reverse with `newestFirst`. */
  listUsers(query: Pick<ListQuery, 'clientId' | 'cursor' | 'limit' | 'newestFirst'>): Promise<Page<User>>
  /** The history and deliveries of orders, by orderId; unknown ones are left out. Simulations that name an order
   *  count if they are of the same client. */
  pastsOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, OrderPast>>
  /** A client's orders whose next step is due at or before `until`, by due time, then in the order of their
   *  creation. */
  dueOrders(clientId: string, until: EpochMs, limit: number): Promise<Order[]>
  /** The ids of a client's orders whose next step is due at or before `until`, restricted to `among` if given. */
  ordersDue(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** The due time of the client's earliest step, later than `after` if given; null for none. */
  nextOrderDue(clientId: string, after?: EpochMs): Promise<EpochMs | null>

  // ---- scenarios ---------------------------------------------------------------------------------

  /** Stores a compiled scenario under the hash of its content; storing it again changes nothing. */
  saveScenarioVersion(version: string, compiled: CompiledScenario): Promise<void>
  findScenarioVersion(version: string): Promise<CompiledScenario | null>
  /** Stores the text of an uploaded scenario, in place of an earlier one of its id. */
  saveScenarioText(id: string, text: string): Promise<void>
  /** Removes the text of an uploaded scenario, if it exists. */
  deleteScenarioText(id: string): Promise<void>
  /** Returns the texts of uploaded scenarios, by id. */
  scenarioTexts(): Promise<ScenarioText[]>
  /** Plans a scenario for coming orders. */
  addBinding(binding: Binding): Promise<void>
  /** The plan that a new order would use: the most specific first (client and requestId, requestId, client, any),
   *  among equals the oldest; null if none matches. */
  bindingFor(clientId: string, requestId: string): Promise<Binding | null>
  /** Lists plans that are not used up, oldest first; of all clients, or of one. */
  listBindings(query: ListQuery): Promise<Page<Binding>>
  /** Removes plans: all, those of a client, or the one of an id.
   *  @returns the number of removed plans */
  deleteBindings(which: { id?: string | undefined; clientId?: string | undefined }): Promise<number>
  /** Counts a call for the matching rules of a scenario, in their order: each rule with answers left (`verdictOf`),
   *  up to the first that answers it. Resolves with that rule and its count including this call; null if none
   *  answers. Counts are by client, requestId, scenario and rule, with or without an order. If a rule answers, and
   *  the scenario comes from a plan that is not for this requestId alone, one order of the plan is reserved for the
   *  requestId: `pins` says which part. Throws `binding_used`, and counts nothing, if none is left or that part is
   *  reserved already; `world_ended`. */
  countAnswer(call: CountedCall): Promise<{ rule: CountedRule; calls: number } | null>

  // ---- planned faults ----------------------------------------------------------------------------

  /** Adds a fault. Its id follows from the seed and the number of faults planned before, of its client or of all,
   *  since the last reset (`faultId`). Throws `client_unknown`. */
  addFault(fault: Omit<StoredFault, 'id'>, seed: string): Promise<StoredFault & FaultCount>
  /** Returns all planned faults, oldest first. */
  faults(): Promise<(StoredFault & FaultCount)[]>
  /** Counts a call for matching faults, in their order: each unfinished one (`faultVerdict`), up to the first that
   *  applies, which is `hit`. Removed faults are ignored. */
  countFault(fitting: readonly FittingFault[]): Promise<FaultsMet & { hit: FaultCount | null }>
  /** Removes faults: all, those of a client, or the one of an id.
   *  @returns the number of removed faults */
  deleteFaults(which: { id?: string | undefined; clientId?: string | undefined }): Promise<number>

  // ---- deliveries --------------------------------------------------------------------------------
  //
  // A delivery is claimable when it is pending, not in flight, due, and not blocked. It is blocked by an earlier delivery
  // of its order (lower `sequence`) that is due too, or waits for an answer, and has not ended its first attempt. Retries
  // block nothing, nor do delayed deliveries (N46).
  //
  // In strict order (N71), every older delivery of the client blocks too, until it is accepted, `dead` or `skipped`: one
  // that is due, has had an attempt, or is held. Deliveries of one order and `sequence` do not block each other.
  //
  // Deliveries that went out in a batch (N82) stay together: what is held, released, sent again or ended is the batch.

  /** Adds a delivery that belongs to no change of an order. Throws `delivery_exists` if its id is taken;
   *  `world_ended`. */
  addDelivery(delivery: NewDelivery, generation: Generation): Promise<void>
  /** Adds a delivery that is sent by hand, past the queue: `dead` until an attempt is accepted, with its attempts
   *  written as `unknown`. Throws `delivery_exists`, `world_ended`. */
  addByHand(delivery: NewDelivery, sent: SentByHand, generation: Generation): Promise<void>
  /** Ends an attempt of a delivery sent by hand; an accepted attempt makes it `delivered`. Resolves with false, and
   *  changes nothing, if the delivery is gone or the client was reset. */
  finishByHand(end: AttemptEnd): Promise<boolean>
  /** Makes the order's deliveries that wait for the answer of its create call due at `now`, or later by their plans.
   *  Throws `world_ended`. */
  releaseAnswer(
    order: Pick<Order, 'orderId' | 'clientId'>,
    now: EpochMs,
    generation: Generation,
  ): Promise<void>
  /** The due time of the client's earliest claimable delivery or batch, past or future, later than `after` if given; null for
   *  none. Seen from `now`: an earlier event of its order that is due later than both does not block a delivery. */
  nextDeliveryDue(
    clientId: string,
    now: EpochMs,
    after?: EpochMs,
    how?: SendingOrder,
  ): Promise<EpochMs | null>
  /** The ids of orders with a pending delivery due at or before `until`, including those in flight or blocked;
   *  restricted to `among` if given. In strict order, deliveries that wait for one that is held or due later are left
   *  out. */
  ordersWithDeliveriesDue(
    clientId: string,
    until: EpochMs,
    among?: readonly string[],
    how?: SendingOrder,
  ): Promise<string[]>
  /** The oldest delivery that each of some due deliveries waits for in strict order, by id; others are left out. */
  blockersOf(ids: readonly string[], now: EpochMs): Promise<ReadonlyMap<string, string>>
  /** Claims up to `limit` claimable deliveries, by due time, then in the order of their creation: marks each as in
   *  flight, raises its attempt number, and writes that attempt as `unknown`. Deliveries that match a hold become
   *  `held` instead, and then nothing is claimed yet: call again. An attempt meets at most one planned fault, which
   *  is counted as by `countFault` and becomes part of the delivery's plan. A delaying fault postpones a delivery
   *  instead of claiming it: `late` is their number; then call again too. With `batch`, first come batches that go out
   *  again, then one that is new; all deliveries of a batch are claimed together, and a fault that postpones one postpones
   *  all. Throws `world_ended`. */
  claimDeliveries(claim: DeliveryClaim): Promise<Claimed>
  /** Holds back claimable deliveries that match a hold.
   *  @returns their ids; empty when none are left. Throws `world_ended`. */
  holdDeliveries(due: DueDeliveries & { readonly holds: readonly Where[] }): Promise<string[]>
  /** Makes held deliveries of the client that match due at `now`; no hold applies to their next attempt. Handles a
   *  part at a time, in the order of their creation, and resolves with the ids of that part. While `next` is not
   *  null, call again with it as `after`. */
  releaseDeliveries(
    clientId: string,
    where: Where,
    now: EpochMs,
    after?: number,
  ): Promise<{ released: string[]; next: number | null }>
  /** Makes a delivery in any status due at `now` for one more attempt, to which no hold applies. Throws
   *  `delivery_unknown`; `delivery_in_flight` during an attempt. */
  resendDelivery(id: string, now: EpochMs): Promise<Delivery>
  /** Marks up to `limit` claimable deliveries as `skipped`, because no URL is registered. Throws `world_ended`. */
  skipDeliveries(due: DueDeliveries & { readonly limit: number }): Promise<Delivery[]>
  /** Ends an attempt, settles its delivery, and writes the state of the client's endpoint if the end has one. Resolves
   *  with false, and changes nothing, if the delivery is gone, no longer in that attempt, or the client was reset. */
  finishAttempt(end: AttemptEnd): Promise<boolean>
  findDelivery(id: string): Promise<Delivery | null>
  /** The deliveries of some batches, in the order of their creation (N82).
   *  @param batches the ids of their first deliveries */
  deliveriesOfBatches(batches: readonly string[]): Promise<Delivery[]>
  /** The number of deliveries under a requestId that belong to no change of an order. */
  countSimulations(clientId: string, requestId: string): Promise<number>
  /** Lists deliveries in the order of their creation. */
  listDeliveries(query: ListQuery): Promise<Page<Delivery>>

  // ---- request log -------------------------------------------------------------------------------

  /** Appends entries to the request log and evicts those beyond the bound: the oldest of the clients with most
   *  entries. `dropped` counts further entries that were evicted before they were stored. */
  appendRequests(entries: readonly JournalEntry[], keep: JournalBound, dropped?: number): Promise<void>
  findRequest(id: string): Promise<JournalEntry | null>
  /** Lists entries in the order of their arrival, with the number of evicted entries since the beginning. */
  listRequests(query: ListQuery): Promise<Page<JournalEntry> & { readonly pruned: number }>

  // ---- the whole ---------------------------------------------------------------------------------

  /** The numbers of stored things, of all clients or of one. */
  backlog(clientId?: string): Promise<Backlog>
  /** Counts the orders and deliveries of each client by status. The counts are kept with each change, so their cost
   *  does not grow with the number of orders. */
  counts(): Promise<Counts>
  /** The settings of all clients that were set at run time. */
  commonSettings(): Promise<SettingsOverlay>
  saveCommonSettings(settings: SettingsOverlay): Promise<void>
  /** Removes the data of one client or of all: orders, deliveries, tokens, planned scenarios, faults, the counts of
   *  both, scenario effects on tokens, the request log; of all, the common settings too. `clients` removes the
   *  clients themselves, `scenarios` the uploaded scenarios, which belong to no client and go even if one is named.
   *  The seed, scenario versions and the count of evicted entries stay. Resolves with the new generations of
   *  remaining clients; an unknown client is ignored. */
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
  /** Takes a snapshot of all data, or of one client's without the data that exists once; of scenario versions, those
   *  that its orders follow. Resolves when the time of the snapshot is fixed. Its parts, read once and in order,
   *  show that time whatever changes later. A caller that does not read to the end calls `return`. */
  snapshot(clientId?: string): Promise<AsyncIterableIterator<WorldPart, undefined>>
}

/** The generation of each client, by clientId. */
export type Generations = ReadonlyMap<string, Generation>

/** A client as the store returns it. */
export interface StoredClient {
  readonly client: Client
  readonly generation: Generation
  /** The latest `createdAt` of the client's orders; null without orders. The client's clock must not start earlier. */
  readonly newestMoment: EpochMs | null
}

/** A client's clock that is to be stored. */
export interface StoredClock {
  readonly clientId: string
  readonly generation: Generation
  readonly clock: ClockState
}

/** The text of an uploaded scenario. */
export interface ScenarioText {
  readonly id: string
  readonly text: string
}

/** A scenario version that orders follow, in compiled form. */
export interface CompiledScenario {
  readonly scenarioJson: string
  /** The version of the format of compiled scenarios. */
  readonly format: number
}

/** The history and the deliveries of an order. */
export interface OrderPast {
  /** The history of the order, oldest first. */
  readonly history: readonly HistoryEntry[]
  /** The ids of the deliveries, in the order of their creation. */
  readonly deliveryIds: readonly string[]
}

/** The numbers of orders, open deliveries and log entries that are stored at present. */
export interface Backlog {
  readonly orders: number
  readonly pendingDeliveries: number
  readonly heldDeliveries: number
  /** Entries of the request log, and evicted ones since the beginning; null for a single client. */
  readonly keptRequests: number | null
  readonly prunedRequests: number | null
}

/** The numbers for each client, by status; clients without any are missing. */
export interface Counts {
  readonly orders: ReadonlyMap<string, Readonly<Record<string, number>>>
  readonly deliveries: ReadonlyMap<string, Readonly<Record<string, number>>>
}

/** A call that matches rules of a scenario. */
export interface CountedCall {
  readonly clientId: string
  readonly generation: Generation
  readonly requestId: string
  readonly scenarioId: string
  /** The time of the call, on the client's clock. */
  readonly at: EpochMs
  readonly rules: readonly CountedRule[]
  /** The plan that chose the scenario, and the part of the plan to reserve for the requestId. */
  readonly pins?: { readonly from: string; readonly pinned: Binding } | undefined
}

/** How the deliveries of a client go out. */
export interface SendingOrder {
  /** Whether they are in strict order (N71). */
  readonly strict?: boolean | undefined
  /** How several go out together; undefined if each goes alone (N82). */
  readonly batch?: BatchForm | undefined
}

/** A client's claimable deliveries that are due at or before `until`. */
export interface DueDeliveries extends SendingOrder {
  readonly clientId: string
  readonly generation: Generation
  readonly until: EpochMs
}

export interface DeliveryClaim extends DueDeliveries {
  /** The time of the claim, on the client's clock. */
  readonly now: EpochMs
  readonly wallNow: EpochMs
  /** The URL to which the claimed attempts are sent. */
  readonly url: string
  readonly limit: number
  /** The holds that keep deliveries from being claimed. */
  readonly holds: readonly Where[]
  /** The faults that may apply, oldest first; none if left out. */
  readonly faults?: readonly DeliveryFault[] | undefined
}

export interface Claimed {
  readonly claimed: ClaimedDelivery[]
  /** The ids of the deliveries that were held back. */
  readonly held: string[]
  readonly late: number
  readonly met: FaultsMet
}

/** The data that are stored about a delivery sent by hand. */
export interface SentByHand {
  readonly url: string
  readonly at: EpochMs
  readonly wallAt: EpochMs
  /** The number of copies to send. */
  readonly copies: number
}

/** The result of an attempt, which completes its record. */
export interface AttemptEnd {
  readonly deliveryId: string
  /** The batch of the delivery: then the end is that of all its deliveries. */
  readonly batch?: string | undefined
  readonly clientId: string
  readonly generation: Generation
  /** The number of the completed attempt. */
  readonly attempt: number
  readonly result: AttemptResult
  /** The state of the client's endpoint after the attempt, if it changes with it. */
  readonly endpoint?: EndpointState | undefined
}

/** Which data a reset removes. */
export interface ResetScope {
  readonly clientId?: string | undefined
  readonly clients: boolean
  readonly scenarios?: boolean | undefined
}

/** Filters are equalities; a missing filter matches everything. */
export interface ListQuery {
  readonly clientId?: string | undefined
  readonly requestId?: string | undefined
  readonly orderId?: string | undefined
  readonly status?: string | undefined
  readonly operation?: string | undefined
  /** Further equalities on the fields of `listFields`, compared as texts. A text may end in `*`. A field that the
   *  listed things lack matches nothing. */
  readonly where?: Readonly<Record<string, string>> | undefined
  /** A part of one of the texts, ignoring case: of an order's requestId, orderId, email or userId; of a delivery's
   *  requestId, orderId, id or webhookId; of a request's requestId, id or path. */
  readonly search?: string | undefined
  /** The `next` value of the page before. */
  readonly cursor?: string | undefined
  readonly limit: number
  /** Whether the newest items come first; otherwise the oldest. */
  readonly newestFirst?: boolean | undefined
}

/** A user for whom orders were created. */
export interface User {
  readonly clientId: string
  /** The `userId`, or the e-mail of users without one (R29). */
  readonly userKey: string
  readonly email: string
  readonly userId?: string | undefined
  /** The number of the user's orders. */
  readonly orders: number
}

export interface Page<T> {
  readonly items: T[]
  /** Cursor of the next page; null at the end. A page may be short or empty and still have a next one: a filter
   *  without an index scans a part at a time. */
  readonly next: string | null
}

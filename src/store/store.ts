import type { SettingsOverlay } from '../domain/choices.ts'
import type { Client, ClockState, IssuedToken } from '../domain/client.ts'
import type { Binding, Decision } from '../domain/decision.ts'
import type { AttemptResult, ClaimedDelivery, Delivery, NewDelivery } from '../domain/delivery.ts'
import type {
  DeliveryFault,
  FaultCount,
  FaultsMet,
  FittingFault,
  PlannedFault,
} from '../domain/fault/planned-fault.ts'
import type { World } from '../domain/fixture/world.ts'
import type { JournalEntry } from '../domain/journal-entry.ts'
import type { LifeSpan } from '../domain/life-span.ts'
import type { HistoryEntry, Order } from '../domain/order.ts'
import type { CountedRule } from '../domain/scenario/answer-faults.ts'
import type { EpochMs } from '../domain/time.ts'
import type { Where } from '../domain/where.ts'
import type { JournalBound } from './journal-bound.ts'
import type { GivenSnapshot, ReadSnapshot, TakenSnapshot } from './snapshot.ts'

/** What outlives a request.
 *
 *  Every verb is one transaction, named by what happens. It resolves once that transaction is committed and
 *  rejects having changed nothing. `test/store/conformance.ts` holds any implementation to these words.
 *
 *  What empties or replaces worlds (`deleteClient`, `load`, `reset`, a snapshot's `write`) is the last that is written
 *  in its turn of the event loop, and what only reads resolves in the turn in which it is called: whoever awaited it
 *  can change what he remembers before anything else is written. What is written with a `LifeSpan` throws
 *  `world_ended` if that has ended by then. */
export interface Store {
  // ---- clients -----------------------------------------------------------------------------------

  /** Adds a client. Throws `client_exists` if its clientId or its access token is taken. */
  createClient(client: Client): Promise<void>
  /** Replaces a client's record. Throws `client_unknown`; `client_exists` if its access token is another's. */
  saveClient(client: Client): Promise<void>
  /** Removes a client and all that belongs to it. Throws `client_unknown`. */
  deleteClient(clientId: string): Promise<void>
  /** All clients, in the order of their making. They are few and kept in memory by their reader. */
  clients(): Promise<Client[]>
  /** Moves the clocks of several clients at once; unknown clients are passed over. */
  saveClocks(clocks: readonly { clientId: string; clock: ClockState }[]): Promise<void>
  /** The newest moment that stands on any order of the client, by `createdAt`; null without orders.
   *  A clock must not start below it. */
  newestMoment(clientId: string): Promise<EpochMs | null>

  // ---- access tokens -----------------------------------------------------------------------------

  /** Keeps a token that was given out. */
  saveToken(token: IssuedToken, life?: LifeSpan): Promise<void>
  /** All tokens that were given out and not pruned, oldest first. */
  tokens(): Promise<IssuedToken[]>
  /** Forgets a client's tokens that expired before `before`. */
  pruneTokens(clientId: string, before: EpochMs): Promise<void>

  // ---- orders ------------------------------------------------------------------------------------

  /** Writes a decision, all or nothing: order, history, outbox rows, used binding, the changed client, and the
   *  order that begins with it.
   *  For a new order (version 1) throws `order_exists` if the requestId is taken in its scope, `order_id_taken` if
   *  another order has its orderId, and `binding_used` if the binding it takes is used up. For a changed one, of which
   *  only what a change may alter (`OrderPatch`) is written, throws `stale_order` if the stored version is not the one
   *  below. */
  commit(decision: Decision, life?: LifeSpan): Promise<void>
  findOrder(orderId: string): Promise<Order | null>
  /** The order whose payment page this token opens. */
  findOrderByToken(token: string): Promise<Order | null>
  /** A client's orders under one requestId, oldest first. */
  ordersOf(clientId: string, requestId: string): Promise<Order[]>
  /** Whether a client other than this one has used the requestId (N16). */
  usedByAnotherClient(clientId: string, requestId: string): Promise<boolean>
  /** How many orders there are, in all or of one client. */
  countOrders(clientId?: string): Promise<number>
  listOrders(query: ListQuery): Promise<Page<Order>>
  /** The users of orders, by client and key; the other way round with `newestFirst`. Throws `bad_cursor`. */
  listUsers(query: Pick<ListQuery, 'clientId' | 'cursor' | 'limit' | 'newestFirst'>): Promise<Page<User>>
  /** What happened to each of some orders, oldest first; orders without history are left out. */
  historiesOf(orderIds: readonly string[]): Promise<Map<string, HistoryEntry[]>>
  /** A client's orders whose next step is due at or before `until`, by due time, then order of creation. */
  dueOrders(clientId: string, until: EpochMs, limit: number): Promise<Order[]>
  /** The ids of those orders that have a step due at or before `until`; of some orders only, if `among` names them. */
  ordersDue(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** When the client's earliest step is due, of those due later than `after` if that is given; null if none is. */
  nextOrderDue(clientId: string, after?: EpochMs): Promise<EpochMs | null>

  // ---- scenario versions -------------------------------------------------------------------------

  /** Keeps a compiled scenario under the hash of its content; keeping it again changes nothing. */
  saveScenarioVersion(version: string, compiled: CompiledScenario): Promise<void>
  findScenarioVersion(version: string): Promise<CompiledScenario | null>
  /** Keeps the text of a scenario that came over the control API, in place of an earlier one of its id. */
  saveScenarioText(id: string, text: string): Promise<void>
  /** Those texts, by id. */
  scenarioTexts(): Promise<{ id: string; text: string }[]>
  /** Forgets one of those texts, if it is there. */
  deleteScenarioText(id: string): Promise<void>
  /** Plans a scenario for coming orders. */
  addBinding(binding: Binding): Promise<void>
  /** The binding a new order would take: the most particular first (client and requestId, requestId, client,
   *  any), among equals the oldest; used-up ones never. */
  bindingFor(clientId: string, requestId: string): Promise<Binding | null>
  /** Bindings that are not used up; of all clients, or those that belong to one. Throws `bad_cursor`. */
  listBindings(query: ListQuery): Promise<Page<Binding>>
  /** Takes bindings back: all, those that belong to a client, or the one of an id; answers how many. */
  deleteBindings(which: { id?: string | undefined; clientId?: string | undefined }): Promise<number>

  // ---- API faults ---------------------------------------------------------------------------------

  /** Counts a call for the rules of a scenario that fit it: in their order, each that is not over (`verdictOf`),
   *  up to the first that answers it. Answers that rule and how many calls it has counted with this one, or null
   *  if none answers. The counts stand for client, scenario and requestId, whether there is an order or not.
   *  Where one answers, a binding that is not for this requestId alone gives one of its orders to it: `pins` is
   *  that part of it. Throws `binding_used`, and counts nothing, if there is none left or that part is kept
   *  already; `client_unknown`. */
  countAnswer(call: CountedCall): Promise<{ rule: CountedRule; calls: number } | null>

  // ---- planned faults -----------------------------------------------------------------------------

  /** Adds a fault that nothing has met yet. Its id follows from the seed and from how many were planned before it, of
   *  its client or of all, since the last reset (`faultId`). Throws `client_unknown`. */
  addFault(fault: Omit<StoredFault, 'id'>, seed: string): Promise<StoredFault & FaultCount>
  /** All faults, the oldest first. They are few and kept in memory by their reader. */
  faults(): Promise<(StoredFault & FaultCount)[]>
  /** Some of the faults, by default the oldest first; of all clients, or those that belong to one. Throws `bad_cursor`. */
  listFaults(query: ListQuery): Promise<Page<StoredFault & FaultCount>>
  findFault(id: string): Promise<(StoredFault & FaultCount) | null>
  /** Counts a call for the faults that fit it: in their order, each that is not over (`faultVerdict`), up to the first
   *  that is done to it, which is `hit`. Those that are no longer there are passed over. */
  countFault(fitting: readonly FittingFault[]): Promise<FaultsMet & { hit: FaultCount | null }>
  /** Removes a fault. Throws `fault_unknown`. */
  deleteFault(id: string): Promise<StoredFault & FaultCount>
  /** Removes the faults that belong to a client, or all; answers how many. */
  deleteFaults(clientId?: string): Promise<number>

  // ---- deliveries --------------------------------------------------------------------------------
  //
  // A delivery is claimable when it is pending, not in flight, due, and no earlier delivery of its order
  // (lower `sequence`) that is due too, or waits for an answer, is still before the end of its first attempt.
  // Retries block nothing, nor does what is delayed (N46).

  /** Adds a delivery that belongs to no change of an order (simulations). Throws `delivery_exists` if its id is
   *  taken. */
  addDelivery(delivery: NewDelivery, life?: LifeSpan): Promise<void>
  /** Adds a delivery that is sent by hand, past the queue: `dead` until an attempt is accepted, with its attempts
   *  written as `unknown`, before any is sent. Throws `delivery_exists`. */
  addByHand(
    delivery: NewDelivery,
    sent: { url: string; at: EpochMs; wallAt: EpochMs; copies: number },
    life?: LifeSpan,
  ): Promise<void>
  /** Finishes an attempt of such a delivery; one that was accepted makes it `delivered`. Answers false, and changes
   *  nothing, if the delivery is gone or `life` has ended: in another life it is another delivery of the same id. */
  finishByHand(deliveryId: string, attempt: number, result: AttemptResult, life?: LifeSpan): Promise<boolean>
  /** Makes the order's deliveries that wait for the create call's answer due at `now`, or as much later as their
   *  plans say. */
  releaseAnswer(orderId: string, now: EpochMs, life?: LifeSpan): Promise<void>
  /** When the client's earliest claimable delivery is due (in the past or in the future), of those due later than
   *  `after` if that is given; null if none is. Seen from `now`: an earlier event of its order that is due later than
   *  both does not hold a delivery up. */
  nextDeliveryDue(clientId: string, now: EpochMs, after?: EpochMs): Promise<EpochMs | null>
  /** The ids of those orders that have a pending delivery due at or before `until`, also one that is in flight or
   *  waits behind an earlier one; of some orders only, if `among` names them. */
  ordersWithDeliveriesDue(clientId: string, until: EpochMs, among?: readonly string[]): Promise<string[]>
  /** Claims up to `limit` claimable deliveries due at or before `until`, by due time, then order of commit: marks
   *  each as in flight, raises its attempt number and writes that attempt as `unknown`, before anything is sent.
   *  Those that a hold fits are not claimed but become `held`, and then nothing is claimed yet: ask again.
   *  An attempt meets one planned fault at most, which is counted as `countFault` does, and becomes part of the
   *  delivery's plan. What one delays is put off instead of claimed: `late` is how many are, and then ask again. */
  claimDeliveries(
    claim: DeliveryClaim,
  ): Promise<{ claimed: ClaimedDelivery[]; held: string[]; late: number; met: FaultsMet }>
  /** Makes claimable deliveries that are due at or before `until` and fit a hold `held`; answers their ids, and none
   *  when there are none (left). */
  holdDeliveries(clientId: string, until: EpochMs, holds: readonly Where[]): Promise<string[]>
  /** Makes held deliveries of the client that fit due at `now`; no hold keeps back their next attempt. It goes
   *  through them in order of commit, a part at a time, and answers the ids of those it made due: as long as `next` is
   *  no null, call again with it as `after`. */
  releaseDeliveries(
    clientId: string,
    where: Where,
    now: EpochMs,
    after?: number,
  ): Promise<{ released: string[]; next: number | null }>
  /** Makes a delivery, whatever became of it, due at `now` for one more attempt, which no hold keeps back.
   *  Throws `delivery_unknown`, and `delivery_in_flight` during an attempt. */
  resendDelivery(id: string, now: EpochMs): Promise<Delivery>
  /** Marks up to `limit` claimable deliveries due at or before `until` as `skipped`, because no URL is registered. */
  skipDeliveries(clientId: string, until: EpochMs, limit: number): Promise<Delivery[]>
  /** Finishes an attempt and settles its delivery. Answers false, and changes nothing, if the delivery is
   *  gone or no longer in that attempt (the fence). */
  finishAttempt(deliveryId: string, attempt: number, result: AttemptResult): Promise<boolean>
  findDelivery(id: string): Promise<Delivery | null>
  /** Ids of the deliveries of each of some orders, in order; orders without deliveries are left out. */
  deliveryIdsOf(orderIds: readonly string[]): Promise<Map<string, string[]>>
  /** Simulated deliveries under a requestId so far (numbers the next one's ids). */
  countSimulations(clientId: string, requestId: string): Promise<number>
  listDeliveries(query: ListQuery): Promise<Page<Delivery>>

  // ---- journal -----------------------------------------------------------------------------------

  /** Appends entries and prunes what is beyond the bound: the oldest of those clients that have most. It
   *  reads `entries` when it writes them; the caller may take some out until then. `dropped` more were pruned before. */
  appendRequests(entries: readonly JournalEntry[], keep: JournalBound, dropped?: number): Promise<void>
  findRequest(id: string): Promise<JournalEntry | null>
  listRequests(query: ListQuery): Promise<Page<JournalEntry>>
  /** Entries pruned since the start of the database. */
  prunedRequests(): Promise<number>

  // ---- the whole ---------------------------------------------------------------------------------

  /** How much there is of what may pile up, in all or of one client. */
  standing(clientId?: string): Promise<Standing>

  /** Counts the orders and deliveries of each client by status; one that has none is not there. It looks at every row,
   *  in parts, so what changes meanwhile is counted as it was or as it is. */
  census(): Promise<Census>
  /** The seed of this world, set once; answers the one that holds. */
  seed(proposed: string): Promise<string>
  /** The settings of all clients that were set at run time. */
  commonSettings(): Promise<SettingsOverlay>
  /** Replaces them. */
  saveCommonSettings(settings: SettingsOverlay): Promise<void>
  /** Adds clients with their whole worlds, all of it or nothing: the scenario versions that their orders follow,
   *  tokens, orders in whatever version they have, with history, and deliveries with their attempts. The clients that
   *  `replaced` names are removed first, with all that belongs to them; unknown ones are passed over.
   *  Throws `client_exists` if a clientId or a token is taken, `order_exists` as `commit` does, and `order_id_taken`. */
  load(world: World, replaced?: readonly string[]): Promise<void>
  /** Removes orders, deliveries, tokens, bindings, faults, counts of faults and journal, of one client or of all; of
   *  all, the common settings too. `clients` removes the clients (all of them, or that one), `scenarios` the kept
   *  scenario texts. */
  reset(scope: { clientId?: string | undefined; clients: boolean; scenarios?: boolean }): Promise<void>
  /** All that there is at this moment, or all of one client: its own rows, and the scenario versions that its orders
   *  follow. Of scenario versions only those that orders follow. What comes later is not in it. `clocks` stand in it
   *  for what is kept of them. Writes nothing. */
  snapshot(
    clientId?: string,
    clocks?: readonly { clientId: string; clock: ClockState }[],
  ): Promise<TakenSnapshot>
  /** Reads a snapshot and checks all of it, of this form of the store or an earlier one. Changes nothing.
   *  Throws `snapshot_invalid`, `snapshot_newer`. */
  readSnapshot(given: GivenSnapshot): Promise<ReadSnapshot>
  /** Ends what a crash left open: what was in flight is due again at its old due time, keeps its attempt as
   *  `unknown`; what waited for an answer becomes due at its creation. Called once by the owner at start. */
  recover(): Promise<void>
  /** Puts the database in order if nothing was written since the last call. Called every now and then. */
  tidy(): Promise<void>
  close(): Promise<void>
}

/** A planned fault as it is kept. */
export type StoredFault = Omit<PlannedFault, 'does'>

/** A scenario as it is stored for the orders that follow it. */
export interface CompiledScenario {
  readonly scenarioJson: string
  /** Of its compiled form. */
  readonly format: number
}

/** How much there is at this moment. */
export interface Standing {
  readonly pendingDeliveries: number
  readonly heldDeliveries: number
  /** Entries of the journal, and those that were pruned since the database began; null where one client is asked for:
   *  the journal has no index by client. */
  readonly keptRequests: number | null
  readonly prunedRequests: number | null
}

/** How many there are of each client, by status. */
export interface Census {
  readonly orders: ReadonlyMap<string, Readonly<Record<string, number>>>
  readonly deliveries: ReadonlyMap<string, Readonly<Record<string, number>>>
}

/** A call that rules of a scenario fit. */
export interface CountedCall {
  readonly clientId: string
  readonly requestId: string
  readonly scenarioId: string
  /** On the client's clock. */
  readonly at: EpochMs
  readonly rules: readonly CountedRule[]
  /** The binding that chose the scenario, and what of it is to be kept for the requestId. */
  readonly pins?: { readonly from: string; readonly pinned: Binding } | undefined
}

interface DeliveryClaim {
  readonly clientId: string
  /** What was due at or before this moment. */
  readonly until: EpochMs
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

/** Filters are equalities; a missing one filters nothing. */
export interface ListQuery {
  readonly clientId?: string | undefined
  readonly requestId?: string | undefined
  readonly orderId?: string | undefined
  readonly status?: string | undefined
  readonly operation?: string | undefined
  /** Further equalities, on the members that `listMembers` names. A text may end in `*`. */
  readonly where?: Readonly<Record<string, string>> | undefined
  /** Part of one of its texts, in small letters or large ones: of an order's requestId, orderId, email or userId; of a
   *  delivery's requestId, orderId, id or webhookId; of a request's requestId, id or path. */
  readonly search?: string | undefined
  /** What `next` of the page before said. Throws `bad_cursor` for anything else. */
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
  /** Cursor of the next page; null at the end. A page may be short, or empty, and have a next one: what no index finds
   *  is looked for in so many things at a time, so that others have their turn in between. */
  readonly next: string | null
}

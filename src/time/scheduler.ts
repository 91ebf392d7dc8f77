import type { ClockState, Generation } from '../domain/client/client.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { Clock } from './clock.ts'
import { type DueQueue, Pump } from './pump.ts'
import { type Walk, type WalkEnd, walk } from './walk.ts'
import { World } from './world.ts'

/** Stores clocks that have moved. */
export type KeepClocks = (
  clocks: { clientId: string; generation: Generation; clock: ClockState }[],
) => Promise<void>

/** The position of a clock after a call moved it or changed its pace. */
export interface ClockMove {
  readonly clientId: string
  readonly from: EpochMs
  readonly now: EpochMs
  readonly mode: ClockState['mode']
  readonly speed: number
  readonly paceChanged: boolean
}

/** The scheduler: one `World` per client, all over the same due-queues. */
export class Scheduler {
  readonly #worlds = new Map<string, World>()
  readonly #queues: DueQueue[] = []
  readonly #wall: () => EpochMs
  readonly #keep: KeepClocks
  readonly #onError: (error: unknown) => void
  readonly #onMoved: (moves: readonly ClockMove[]) => void
  #started = false

  constructor(options: {
    wall: () => EpochMs
    keep: KeepClocks
    onError: (error: unknown) => void
    /** Called once for each call that moves clocks, after the move. */
    onMoved?: (moves: readonly ClockMove[]) => void
  }) {
    this.#wall = options.wall
    this.#keep = options.keep
    this.#onError = options.onError
    this.#onMoved = options.onMoved ?? (() => {})
  }

  /** Adds a kind of due work. All queues are added before `start`. */
  addQueue(queue: DueQueue): void {
    this.#queues.push(queue)
  }

  /** Adds or replaces the clock and pump of a client. The clock continues from `state`, but never below `floor`. */
  add(clientId: string, state: ClockState, floor: EpochMs | null = null, generation: Generation = 0): void {
    const clock = new Clock(state, this.#wall)
    if (floor !== null && clock.now() < floor) {
      clock.pin(floor)
      clock.unpin()
    }
    const world = new World(new Pump(clientId, clock, generation, this.#queues, this.#onError), this.#queues)
    this.#worlds.set(clientId, world)
    if (this.#started) world.pump.wake()
  }

  /** Ends a client's world. Resolves when its work has ended. */
  async remove(clientId: string): Promise<void> {
    const world = this.#worlds.get(clientId)
    this.#worlds.delete(clientId)
    await world?.remove(new EmulatorError('client_unknown', { clientId }))
  }

  /** Continues the clock of a client after its data was removed, under the new generation. */
  emptied(clientId: string, generation: Generation): void {
    const world = this.#world(clientId)
    world.pump.generation = generation
    if (this.#started) world.pump.wake()
  }

  /** The client's generation; null for an unknown client. */
  generation(clientId: string): Generation | null {
    return this.#worlds.get(clientId)?.pump.generation ?? null
  }

  /** Starts the work of all clients. */
  start(): void {
    this.#started = true
    for (const world of this.#worlds.values()) world.pump.wake()
  }

  /** Looks for due work of a client, which may be due now or sooner than known. */
  wake(clientId: string): void {
    if (this.#started) this.#worlds.get(clientId)?.pump.wake()
  }

  /** Looks for new work of a client that is due at `dueAt`. */
  wakeFor(clientId: string, dueAt: EpochMs): void {
    if (this.#started) this.#worlds.get(clientId)?.pump.wakeFor(dueAt)
  }

  /** Marks the start of a wait for the client's clock, for which other work waits in turn.
   *  @returns a function that ends the mark */
  holdBegins(clientId: string): () => void {
    return this.#world(clientId).holdBegins()
  }

  /** Waits for a promise, and rejects when the client is removed.
   *  @throws client_unknown, stopping */
  async whileThere<T>(clientId: string, wanted: Promise<T>): Promise<T> {
    return this.#world(clientId).whileThere(wanted)
  }

  /** Returns the time of the client's clock. */
  now(clientId: string): EpochMs {
    return this.#world(clientId).clock.now()
  }

  clockState(clientId: string): ClockState {
    return this.#world(clientId).clock.state()
  }

  /** Returns the client's next due time; null for none. */
  async nextDue(clientId: string): Promise<EpochMs | null> {
    return this.#world(clientId).nextDue()
  }

  /** Moves clocks forward from one due time to the next (see `walk`). */
  async advance(request: Walk): Promise<WalkEnd> {
    const worlds = request.clientIds.map((clientId) => this.#world(clientId))
    let before: readonly Reading[] = []
    let moves: readonly ClockMove[] = []
    const onBegin = (from: ReadonlyMap<string, EpochMs>) => {
      before = worlds.map(readingOf)
      request.onBegin(from)
    }
    // While the clocks are still held: running on by themselves is no move.
    const onEnd = () => {
      moves = movesSince(before)
    }
    try {
      return await walk(worlds, { ...request, onBegin, onEnd }, (moved) => this.#keepAll(moved))
    } finally {
      // First of all: while the clocks were held, no timer was set.
      for (const world of worlds) world.pump.wake()
      await this.#keepAll(worlds)
      if (moves.length > 0) this.#onMoved(moves)
    }
  }

  /** Changes the pace of a client's clock; its present time stays. */
  async setPace(clientId: string, mode: ClockState['mode'], speed: number): Promise<void> {
    const world = this.#world(clientId)
    const release = await world.takeTurn()
    const before = readingOf(world)
    try {
      world.clock.setPace(mode, speed)
      world.pump.wake()
      await this.#keepAll([world])
      const { anchor } = before.state
      this.#onMoved([{ ...moveSince(before), from: anchor, now: anchor }])
    } finally {
      release()
    }
  }

  /** Stops all worlds and stores their clocks. */
  async stop(): Promise<void> {
    this.#started = false
    const worlds = [...this.#worlds.values()]
    await Promise.all(worlds.map((world) => world.remove(new EmulatorError('stopping'))))
    await this.#keep(statesOf(worlds))
  }

  /** Stores clocks. A removed client's clock is skipped, because another client may have its name by now. */
  #keepAll(worlds: readonly World[]): Promise<void> {
    return this.#keep(statesOf(worlds.filter(({ isRemoved }) => !isRemoved)))
  }

  #world(clientId: string): World {
    const world = this.#worlds.get(clientId)
    if (world === undefined) throw new EmulatorError('client_unknown', { clientId })
    return world
  }
}

const statesOf = (worlds: readonly World[]) =>
  worlds.map(({ clientId, pump, clock }) => ({ clientId, generation: pump.generation, clock: clock.state() }))

interface Reading {
  readonly world: World
  readonly state: ClockState
}

const readingOf = (world: World): Reading => ({ world, state: world.clock.state() })

const movesSince = (before: readonly Reading[]): ClockMove[] =>
  before.filter(({ world }) => !world.isRemoved).map(moveSince)

function moveSince({ world, state }: Reading): ClockMove {
  const { mode, speed } = world.clock.state()
  return {
    clientId: world.clientId,
    from: state.anchor,
    now: world.clock.now(),
    mode,
    speed,
    paceChanged: mode !== state.mode || speed !== state.speed,
  }
}

import type { ClockState, Generation } from '../domain/client/client.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { EpochMs } from '../domain/text/time.ts'
import { Clock } from './clock.ts'
import { type Walk, type WalkEnd, walk } from './walk.ts'
import type { DueQueue } from './world.ts'
import { World } from './world.ts'

/** Keeps a moved clock over a restart. */
export type KeepClocks = (
  clocks: { clientId: string; generation: Generation; clock: ClockState }[],
) => Promise<void>

/** Where a clock stands after somebody has moved it, or set it to another pace. */
export interface ClockMove {
  readonly clientId: string
  readonly from: EpochMs
  readonly now: EpochMs
  readonly mode: ClockState['mode']
  readonly speed: number
  readonly paceChanged: boolean
}

/** The one scheduler: a world for each client, every world over the same due-queues. */
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
    /** Told once for each call that moves clocks, when they are there. */
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

  /** Adds a client's world, in place of the one that was there; its clock goes on from `state`, and never below
   *  `floor`. */
  add(clientId: string, state: ClockState, floor: EpochMs | null = null, generation: Generation = 0): void {
    const clock = new Clock(state, this.#wall)
    if (floor !== null && clock.now() < floor) {
      clock.pin(floor)
      clock.unpin()
    }
    const world = new World(clientId, clock, generation, this.#queues, this.#onError)
    this.#worlds.set(clientId, world)
    if (this.#started) world.wake()
  }

  /** Ends a client's world. Resolves when nothing of it goes on. */
  async remove(clientId: string): Promise<void> {
    const world = this.#worlds.get(clientId)
    this.#worlds.delete(clientId)
    await world?.remove(new EmulatorError('client_unknown', { clientId }))
  }

  /** The client's world has been emptied: its clock goes on. */
  emptied(clientId: string, generation: Generation): void {
    const world = this.#world(clientId)
    world.generation = generation
    if (this.#started) world.wake()
  }

  /** Of the client's world; null if it has none. */
  generation(clientId: string): Generation | null {
    return this.#worlds.get(clientId)?.generation ?? null
  }

  /** Begins to carry out what is due, in every world. */
  start(): void {
    this.#started = true
    for (const world of this.#worlds.values()) world.wake()
  }

  /** Says that something of this client's may be due now or sooner than thought. */
  wake(clientId: string): void {
    if (this.#started) this.#worlds.get(clientId)?.wake()
  }

  /** Says that something new of this client's is due at `dueAt`. */
  wakeFor(clientId: string, dueAt: EpochMs): void {
    if (this.#started) this.#worlds.get(clientId)?.wakeFor(dueAt)
  }

  /** Says that something begins to wait for the client's clock, for which somebody else waits in turn.
   *  @returns says that it waits no longer */
  holdBegins(clientId: string): () => void {
    return this.#world(clientId).holdBegins()
  }

  /** Waits for something, but no longer than the client's world is there.
   *  @throws client_unknown, stopping */
  async whileThere<T>(clientId: string, wanted: Promise<T>): Promise<T> {
    return this.#world(clientId).whileThere(wanted)
  }

  /** What the client's clock reads. */
  now(clientId: string): EpochMs {
    return this.#world(clientId).clock.now()
  }

  clockState(clientId: string): ClockState {
    return this.#world(clientId).clock.state()
  }

  /** When the client's next thing is due; null if nothing is. */
  async nextDue(clientId: string): Promise<EpochMs | null> {
    return this.#world(clientId).nextDue()
  }

  /** Moves clocks forward, from due moment to due moment (see `walk`). */
  async advance(request: Walk): Promise<WalkEnd> {
    const worlds = request.clientIds.map((clientId) => this.#world(clientId))
    let before: readonly Reading[] = []
    let moves: readonly ClockMove[] = []
    const onBegin = (from: ReadonlyMap<string, EpochMs>) => {
      before = worlds.map(readingOf)
      request.onBegin(from)
    }
    // While they are still held: what a clock goes by itself from then on is no move.
    const onEnd = () => {
      moves = movesSince(before)
    }
    try {
      return await walk(worlds, { ...request, onBegin, onEnd }, (moved) => this.#keepAll(moved))
    } finally {
      // First of all: while the clocks were held, no timer was set.
      for (const world of worlds) world.wake()
      await this.#keepAll(worlds)
      if (moves.length > 0) this.#onMoved(moves)
    }
  }

  /** Changes how a client's time passes; what its clock reads stays as it is. */
  async setPace(clientId: string, mode: ClockState['mode'], speed: number): Promise<void> {
    const world = this.#world(clientId)
    const release = await world.takeTurn()
    const before = readingOf(world)
    try {
      world.clock.setPace(mode, speed)
      world.wake()
      await this.#keepAll([world])
      const { anchor } = before.state
      this.#onMoved([{ ...moveSince(before), from: anchor, now: anchor }])
    } finally {
      release()
    }
  }

  /** Stops all worlds and keeps where their clocks stand. */
  async stop(): Promise<void> {
    this.#started = false
    const worlds = [...this.#worlds.values()]
    await Promise.all(worlds.map((world) => world.remove(new EmulatorError('stopping'))))
    await this.#keep(statesOf(worlds))
  }

  /** A world that has ended keeps nothing: its name may be another's by now. */
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
  worlds.map(({ clientId, generation, clock }) => ({ clientId, generation, clock: clock.state() }))

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

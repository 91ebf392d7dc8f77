import type { ClientId } from './world.ts'

/** Which calls or deliveries: a text that ends in `*` fits whatever begins like it. */
export type FaultWhere = Readonly<Partial<Record<'requestId' | 'orderStatus', string>>>

/** A fault as it is asked for. */
export interface WantedFault {
  /** null: of both clients. */
  readonly client: ClientId | null
  readonly on: 'create-order' | 'orders' | 'delivery'
  /** null for deliveries. */
  readonly when: 'unchecked' | 'before' | 'stored' | null
  readonly where: FaultWhere
  readonly skip: number
  /** `doubles`: what is accepted is sent once more. */
  readonly effect: 'fails' | 'doubles'
  /** So often, or so long. */
  readonly limit: { readonly times: number } | { readonly forMs: number }
}

interface ModelFault extends WantedFault {
  /** By client, if it ends. */
  readonly ends: Readonly<Record<string, number>> | null
  calls: number
  hits: number
}

/** The status with which a model's fault answers, or as which an attempt counts. */
export const faultStatus = 503

/** From a webhook that a fault doubles to its copy. */
export const apartMs = 60_000

/** The faults that are planned, the oldest first. */
export class ModelFaults {
  #all: ModelFault[] = []

  /** @param now what each client's clock reads */
  plan(wanted: WantedFault, now: Readonly<Record<ClientId, number>>): void {
    const { limit } = wanted
    const ends = 'times' in limit ? null : { C1: now.C1 + limit.forMs, C2: now.C2 + limit.forMs }
    this.#all.push({ ...wanted, ends, calls: 0, hits: 0 })
  }

  /** Removes those that belong to a client, or all.
   *  @returns how many */
  remove(client?: ClientId): number {
    const before = this.#all.length
    this.#all = this.#all.filter((fault) => client !== undefined && fault.client !== client)
    return before - this.#all.length
  }

  /** Whether there is one that may answer a create call. */
  get meetCreates(): boolean {
    return this.#all.some((fault) => fault.on === 'create-order')
  }

  /** A call, or an attempt of a delivery: counts it, up to the first fault that is done to it.
   *  @returns what is done; null if nothing is */
  meet(
    about: Pick<WantedFault, 'on' | 'when'>,
    thing: {
      readonly client: string
      readonly requestId: string
      readonly orderStatus?: string
      /** It meets no fault that would double it again. */
      readonly isDoubled?: boolean
    },
    now: number,
  ): WantedFault['effect'] | null {
    for (const fault of this.#all) {
      const { client, on, when, where, skip } = fault
      const isAbout = on === about.on && when === about.when && (client ?? thing.client) === thing.client
      if (fault.effect === 'doubles' && thing.isDoubled) continue
      if (!isAbout || !fits(where, thing) || isOver(fault, thing.client, now)) continue
      fault.calls += 1
      if (fault.calls <= skip) continue
      fault.hits += 1
      return fault.effect
    }
    return null
  }

  /** A line for each; whether it is over only where there is one clock to ask. */
  lines(now: Readonly<Record<ClientId, number>>): string[] {
    return this.#all.map((fault) => {
      const { client, on, when, calls, hits } = fault
      const over = client === null ? 'or not' : isOver(fault, client, now[client])
      return `fault of ${client} ${on} ${when}: ${calls} calls, ${hits} hits, over ${over}`
    })
  }
}

function isOver({ limit, hits, ends }: ModelFault, client: string, now: number): boolean {
  return ('times' in limit && hits >= limit.times) || (ends !== null && now >= (ends[client] ?? Infinity))
}

function fits(where: FaultWhere, thing: { requestId: string; orderStatus?: string }): boolean {
  const like = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined ||
    value === wanted ||
    (wanted.endsWith('*') && value?.startsWith(wanted.slice(0, -1)) === true)
  return like(where.requestId, thing.requestId) && like(where.orderStatus, thing.orderStatus)
}

import { stopwatch } from '../../time/wall.ts'
import type { Case } from '../case.ts'
import { tokenRanOut } from '../evidence/tokens.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import type { CaseId } from '../report.ts'
import type { Setting } from '../stage/setting.ts'
import { Stage } from '../stage/stage.ts'
import { until } from '../stage/waiting.ts'

/** Why nothing more is to be seen of an application that runs on. */
export interface Standstill {
  /** Its access token has expired, and it gets no other: a matter of K30. Else it makes no order any more. */
  readonly expired: boolean
  /** The last case in which it has made an order; null if that was before the first one, or if the token has expired. */
  readonly after: Case | null
  /** Note of the cases that cannot be seen because of it. */
  readonly note: string
  /** Whether it is asked for an order once more before each of them. */
  readonly askAgain: boolean
}

/** An application that takes so much longer than `patience` to make no order hangs. */
const hangsMs = 10_000

const expiredNote =
  'its access token has expired because the clock moved, and it did not request a new one: see K30'

/** Watches from case to case whether the application keeps making orders, so that later cases need not time out. */
export class OrderWatch {
  #lastIn: Case | null = null
  #standstill: Standstill | null = null

  /** null while it goes on. */
  get standstill(): Standstill | null {
    return this.#standstill
  }

  /** Why a case need not be played; null if it is worth being played. */
  async hopeless(id: CaseId, setting: Setting): Promise<string | null> {
    if (this.#standstill === null) return null
    const { expired, note, askAgain } = this.#standstill
    // K30 tests expired tokens; K37 needs only a subscription.
    if (id === (expired ? 'K30' : 'K37')) return null
    if (!askAgain || !(await makesOrder(setting, setting.app.settleMs))) return note
    this.#standstill = null
    return null
  }

  /** Looks whether the application has stopped, if a case that was played has asked for orders and got none.
   *  @returns whether it has */
  async look(played: Case, stage: Stage, setting: Setting): Promise<boolean> {
    if (stage.ordersMade === 'some') this.#lastIn = played
    // A limit of so many orders in a minute is no standstill.
    const isLimited = stage.orders.at(-1)?.answer.status === 429
    if (stage.ordersMade !== 'none' || this.#standstill !== null || isLimited) return false
    const { patienceMs } = setting.app
    const watch = stopwatch()
    if (await makesOrder(setting, patienceMs)) return false
    const hangs = stopwatch() - watch > patienceMs + hangsMs
    if (tokenRanOut(await setting.client.requests.list())) {
      this.#standstill = { expired: true, after: null, note: expiredNote, askAgain: true }
      return true
    }
    if (!hangs) {
      // It may need a while to recover.
      await until(async () => false, patienceMs, setting.signal)
      if (await makesOrder(setting, patienceMs)) return false
    }
    const after = this.#lastIn
    const note = `the application creates no more orders since ${after === null ? 'the cases began' : after.id}`
    this.#standstill = { expired: false, after, note, askAgain: !hangs }
    return true
  }

  /** Notes that an application still makes orders, but gets nowhere with them, since its token has expired. */
  foundExpired(): Standstill {
    this.#standstill = { expired: true, after: null, note: expiredNote, askAgain: false }
    return this.#standstill
  }
}

/** Asks the application for an order. @param withinMs how long to wait for its create call, wall time */
async function makesOrder(setting: Setting, withinMs: number): Promise<boolean> {
  const stage = await Stage.open('K00', setting)
  try {
    const { order } = await stage.begin()
    return (await order(withinMs)).orderId !== null
  } catch (error) {
    // It goes on, though with something that a case will find.
    if (error instanceof Finding || error instanceof WrongConfiguration || error instanceof NotSeen)
      return true
    throw error
  } finally {
    await stage.close()
  }
}

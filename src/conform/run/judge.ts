import { EmulatorUnreachable } from '../../index.ts'
import { stopwatch } from '../../time/wall.ts'
import type { Pulse } from '../application/pulse.ts'
import type { Case } from '../case.ts'
import { membersNamed } from '../config/config.ts'
import { tokenRanOut } from '../evidence/service-calls.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import { toldFinding } from '../report/finding-report.ts'
import type { CaseId, CaseResult, ConfigurationProblem, ToldFinding } from '../report.ts'
import type { Setting } from '../stage/case-context.ts'
import { Stage } from '../stage/stage.ts'
import { until } from '../stage/waiting.ts'

/** Why nothing more is to be seen of an application that runs on. */
interface Standstill {
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
class OrderWatch {
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

type Outcome = Pick<CaseResult, 'verdict' | 'note' | 'finding'>

/** How a finding is told. */
export interface Telling {
  /** How a case is run again, with another after it if only that shows it. */
  readonly repeat: (id: CaseId, shownBy?: CaseId) => string
  /** The emulator ends with the run, so no command can ask it. */
  readonly emulatorEnds: boolean
}

/** Plays one case after the other, and says what came of each. */
export class Judge {
  /** What is wrong with the configuration, as far as a case has met it. */
  readonly problems: ConfigurationProblem[] = []
  readonly #telling: Telling
  readonly #orders = new OrderWatch()
  #diedIn: CaseId | null = null
  /** What is said of the case after which the application has stopped making orders. */
  #stopped: ToldFinding | null = null

  constructor(telling: Telling) {
    this.#telling = telling
  }

  /** What is known by now of a case that was played before: that the application makes no order any more since then. */
  inTheEnd(result: CaseResult): CaseResult {
    const isIt = this.#orders.standstill?.after?.id === result.id
    if (!isIt || result.verdict === 'FAIL') return result
    return { ...result, verdict: 'FAIL', note: null, needs: [], finding: this.#stopped }
  }

  /** @throws EmulatorUnreachable; the reason of the run's signal; whatever a case that is broken itself has thrown */
  async play(played: Case, setting: Setting, pulse: Pulse): Promise<CaseResult> {
    const watch = stopwatch()
    const { id, level, title, happens, right, why } = played
    setting.signal?.throwIfAborted()
    const outcome =
      (await this.#hopeless(played, setting, pulse)) ?? (await this.#seen(played, setting, pulse))
    return {
      ...{ id, level, title, happens, right, why },
      ...outcome,
      needs: outcome.verdict === 'NOT-SEEN' ? membersNamed(outcome.note ?? '') : [],
      ms: Math.round(stopwatch() - watch),
    }
  }

  /** What is known without playing it; null if it is worth being played. */
  async #hopeless({ id }: Case, setting: Setting, pulse: Pulse): Promise<Outcome | null> {
    if (this.#diedIn !== null && !(await pulse()))
      return notSeen(`the application stopped running in ${this.#diedIn}`)
    this.#diedIn = null
    if (setting.learned.answersNothing && !['K01', 'K03'].includes(id))
      return notSeen('the application answers no webhooks at all: see K01')
    const note = await this.#orders.hopeless(id, setting)
    return note === null ? null : notSeen(note)
  }

  async #seen(played: Case, setting: Setting, pulse: Pulse): Promise<Outcome> {
    const stage = await Stage.open(played.id, setting)
    const outcome = await this.#judged(played, stage, pulse).catch(async (error: unknown) => {
      await stage.close().catch(() => undefined)
      throw error
    })
    await stage.close()
    if (outcome.finding?.defect === 'crashed' || !(await this.#orders.look(played, stage, setting)))
      return outcome
    const { standstill } = this.#orders
    if (standstill?.expired && outcome.finding === null) return notSeen(standstill.note)
    await this.#tellStopped(played, stage)
    return outcome
  }

  /** Words it as a finding of the case after which the application has stopped; as a problem of the configuration if that
   *  was before the first case. What its token has to do with is for K30 to find. */
  async #tellStopped(played: Case, stage: Stage): Promise<void> {
    const { standstill } = this.#orders
    if (standstill === null || standstill.expired) return
    const { after } = standstill
    const told = stage.orders.at(-1)?.told ?? 'its start call was not answered'
    if (after === null) {
      const message = `your application created orders while the configuration was checked, and none since then: ${told}`
      this.problems.push({ member: 'start', message })
      return
    }
    const did = `After this case it created no more orders, as ${played.id} shows: ${told}.`
    const { repeat, emulatorEnds } = this.#telling
    this.#stopped = await toldFinding(new Finding({ defect: 'stopped', did, should: goOnSelling }), {
      ...{ played: after, stage, emulatorEnds },
      repeat: repeat(after.id, played.id),
    })
  }

  async #judged(played: Case, stage: Stage, pulse: Pulse): Promise<Outcome> {
    try {
      await played.run(stage)
    } catch (error) {
      stage.throwIfAborted()
      if (error instanceof EmulatorUnreachable) throw error
      return (
        (await this.#crashed(played, stage, pulse, error)) ?? (await this.#outcomeOf(error, played, stage))
      )
    }
    const crashed = await this.#crashed(played, stage, pulse)
    if (crashed !== null) return crashed
    if (stage.unseen.length > 0) return notSeen(stage.unseen.join('; '))
    return { verdict: 'PASS', note: stage.remarks.join(' ') || null, finding: null }
  }

  /** An application that no longer runs has failed, whatever else is to be said. A moment later somebody may have
   *  started it again. */
  async #crashed(played: Case, stage: Stage, pulse: Pulse, error?: unknown): Promise<Outcome | null> {
    if (await pulse()) return null
    const seen = error instanceof Finding ? error.words : null
    const died = 'It stopped running: your application no longer accepts connections.'
    const did = seen === null ? died : `${seen.did.replace(/\.?$/, '.')} ${died}`
    const words = { ...seen, defect: 'crashed', did, should: goOn } as const
    const finding = await this.#told(new Finding(words), played, stage)
    if (!(await stage.until(pulse))) this.#diedIn = played.id
    return { verdict: 'FAIL', note: null, finding }
  }

  /** @throws what is neither about the application nor about its configuration: a bug of the case */
  async #outcomeOf(error: unknown, played: Case, stage: Stage): Promise<Outcome> {
    if (error instanceof NotSeen) return notSeen(error.message)
    if (error instanceof WrongConfiguration) {
      const { problem } = error
      const isNew = this.problems.every(({ message }) => message !== problem.message)
      if (isNew) this.problems.push(problem)
      return notSeen(error.message)
    }
    if (!(error instanceof Finding)) throw error
    if (!aboutTokens.includes(played.id) && tokenRanOut(await stage.calls()))
      return notSeen(this.#orders.foundExpired().note)
    const finding = await this.#told(error, played, stage)
    const fails = played.level === 'MUST' || error.words.defect === 'repeated-id'
    return { verdict: fails ? 'FAIL' : 'WARN', note: null, finding }
  }

  #told(finding: Finding, played: Case, stage: Stage): Promise<ToldFinding> {
    const { repeat, emulatorEnds } = this.#telling
    return toldFinding(finding, { played, stage, repeat: repeat(played.id), emulatorEnds })
  }
}

const aboutTokens: readonly CaseId[] = ['K30', 'K31']

const goOnSelling =
  'Keep creating orders after this case: the log of your application may say why it does not. If it pauses on purpose after failed calls, set `patience` to more than that pause.'

const goOn =
  'Keep running, whatever it receives. If you did not stop it yourself, its log may say why it stopped.'

const notSeen = (note: string): Outcome => ({ verdict: 'NOT-SEEN', note, finding: null })

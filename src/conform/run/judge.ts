import { EmulatorUnreachable } from '../../index.ts'
import { stopwatch } from '../../time/wall.ts'
import type { Pulse } from '../application/pulse.ts'
import type { Case } from '../case.ts'
import { membersNamed } from '../config/config.ts'
import { leaksInCalls } from '../evidence/leaks.ts'
import { tokenRanOut } from '../evidence/service-calls.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import { findingReport } from '../report/finding-report.ts'
import type { CaseId, CaseResult, ConfigurationProblem, Defect, ReportedFinding } from '../report.ts'
import type { Setting } from '../stage/case-context.ts'
import { Stage } from '../stage/stage.ts'
import { until } from '../stage/waiting.ts'

/** Why an application that still runs can no longer be tested. */
interface Standstill {
  /** True if the application stopped because its access token expired, which only K30 reports; false if it creates
   *  no more orders. */
  readonly expired: boolean
  /** The last case in which the application has created an order; null if that was before the first case, or if the
   *  token has expired. */
  readonly after: Case | null
  /** The note of all cases that are skipped for this reason. */
  readonly note: string
  /** Whether the application is asked for an order again before each skipped case. */
  readonly askAgain: boolean
}

/** Milliseconds beyond `patience` after which an application that creates no order counts as hanging. */
const hangsMs = 10_000

const expiredNote =
  'its access token has expired because the clock moved, and it did not request a new one: see K30'

/** Watches whether the application still creates orders, so that later cases need not time out. */
class OrderWatch {
  #lastIn: Case | null = null
  #standstill: Standstill | null = null

  /** The standstill of the application; null while it creates orders. */
  get standstill(): Standstill | null {
    return this.#standstill
  }

  /** Why a case would show nothing new; null if the case should run. */
  async hopeless(id: CaseId, setting: Setting): Promise<string | null> {
    if (this.#standstill === null) return null
    const { expired, note, askAgain } = this.#standstill
    // K30 tests expired tokens; K37 needs only a subscription.
    if (id === (expired ? 'K30' : 'K37')) return null
    if (!askAgain || !(await makesOrder(setting, setting.app.settleMs))) return note
    this.#standstill = null
    return null
  }

  /** Checks whether the application has stopped, if a case asked for orders and got none.
   *  @returns whether it has stopped */
  async look(played: Case, stage: Stage, setting: Setting): Promise<boolean> {
    if (stage.ordersMade === 'some') this.#lastIn = played
    // An order that was refused with 429 does not mean that the application has stopped.
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
      // The application may need a while to recover.
      await until(async () => false, patienceMs, setting.signal)
      if (await makesOrder(setting, patienceMs)) return false
    }
    const after = this.#lastIn
    const note = `the application creates no more orders since ${after === null ? 'the cases began' : after.id}`
    this.#standstill = { expired: false, after, note, askAgain: !hangs }
    return true
  }

  /** Records that an application still creates orders, but all its calls fail because its token has expired. */
  foundExpired(): Standstill {
    this.#standstill = { expired: true, after: null, note: expiredNote, askAgain: false }
    return this.#standstill
  }
}

/** Asks the application to create an order.
 *  @param withinMs the wall-clock time to wait for its create call */
async function makesOrder(setting: Setting, withinMs: number): Promise<boolean> {
  const stage = await Stage.open('K00', setting)
  try {
    return await stage.starting(async () => {
      const { order } = await stage.begin()
      return (await order(withinMs)).orderId !== null
    })
  } catch (error) {
    // The application still works, with a problem that a case will find.
    if (error instanceof Finding || error instanceof WrongConfiguration || error instanceof NotSeen)
      return true
    throw error
  } finally {
    await stage.close()
  }
}

type Outcome = Pick<CaseResult, 'verdict' | 'note' | 'finding'>

/** The options for the report about a finding. */
export interface FindingOptions {
  /** The command that repeats a case, with another case if only that one shows the problem. */
  readonly repeat: (id: CaseId, shownBy?: CaseId) => string
  /** Whether the emulator ends with the run, so that no command can call it. */
  readonly emulatorEnds: boolean
}

/** Runs cases one after the other, and decides their verdicts. */
export class Judge {
  /** Problems in the configuration that cases have found. */
  readonly problems: ConfigurationProblem[] = []
  readonly #options: FindingOptions
  readonly #orders = new OrderWatch()
  /** The case in which the application stopped running; of several cases side by side the one whose webhook failed
   *  first. */
  #death: { readonly id: CaseId; readonly brokenAt: number } | null = null
  /** The finding of the case after which the application stopped creating orders. */
  #stopped: ReportedFinding | null = null

  constructor(options: FindingOptions) {
    this.#options = options
  }

  /** The case in which the application stopped running; null while it runs. */
  get diedIn(): CaseId | null {
    return this.#death?.id ?? null
  }

  /** The final result of an earlier case: a failure if the application has created no order since. */
  inTheEnd(result: CaseResult): CaseResult {
    const isIt = this.#orders.standstill?.after?.id === result.id
    if (!isIt || result.verdict === 'FAIL') return result
    return { ...result, verdict: 'FAIL', note: null, needs: [], finding: this.#stopped }
  }

  /** @throws EmulatorUnreachable; the abort reason of the run; any error of a case that is itself broken */
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

  /** The result of a case that is not worth running; null if it is. */
  async #hopeless({ id }: Case, setting: Setting, pulse: Pulse): Promise<Outcome | null> {
    if (this.#death !== null && !(await pulse()))
      return notSeen(`the application stopped running in ${this.#death.id}`)
    this.#death = null
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
    setting.learned.leaks.push(...leaksInCalls(await stage.calls(), setting.client))
    if (outcome.finding?.defect === 'crashed' || !(await this.#orders.look(played, stage, setting)))
      return outcome
    const { standstill } = this.#orders
    if (standstill?.expired && outcome.finding === null) return notSeen(standstill.note)
    await this.#reportStopped(played, stage)
    return outcome
  }

  /** Reports the standstill as a finding of the case after which it began, or as a configuration problem before the
   *  first case. An expired token is left to K30. */
  async #reportStopped(played: Case, stage: Stage): Promise<void> {
    const { standstill } = this.#orders
    if (standstill === null || standstill.expired) return
    const { after } = standstill
    const answerText = stage.orders.at(-1)?.answerText ?? 'its start call was not answered'
    if (after === null) {
      const message = `your application created orders while the configuration was checked, and none since then: ${answerText}`
      this.problems.push({ member: 'start', message })
      return
    }
    const did = `After this case it created no more orders, as ${played.id} shows: ${answerText}.`
    const { repeat, emulatorEnds } = this.#options
    this.#stopped = await findingReport(new Finding({ defect: 'stopped', did, should: goOnSelling }), {
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

  /** Fails a case if the application has ended, whatever its other result. Checked at once, because it may be
   *  restarted. */
  async #crashed(played: Case, stage: Stage, pulse: Pulse, error?: unknown): Promise<Outcome | null> {
    if (await pulse()) return null
    const seen = error instanceof Finding ? error.words : null
    const died = 'It stopped running: your application no longer accepts connections.'
    const did = seen === null ? died : `${seen.did.replace(/\.?$/, '.')} ${died}`
    const words = { ...seen, defect: 'crashed', did, should: goOn } as const
    const finding = await this.#reportOf(new Finding(words), played, stage)
    const brokenAt = await firstBroken(stage)
    if (!(await stage.until(pulse)) && brokenAt < (this.#death?.brokenAt ?? Number.POSITIVE_INFINITY))
      this.#death = { id: played.id, brokenAt }
    return { verdict: 'FAIL', note: null, finding }
  }

  /** @throws errors that are about neither the application nor its configuration: bugs of the case */
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
    const finding = await this.#reportOf(error, played, stage)
    const fails = played.level === 'MUST' || failsAtAnyLevel(played.id, error.words.defect)
    return { verdict: fails ? 'FAIL' : 'WARN', note: null, finding }
  }

  #reportOf(finding: Finding, played: Case, stage: Stage): Promise<ReportedFinding> {
    const { repeat, emulatorEnds } = this.#options
    return findingReport(finding, { played, stage, repeat: repeat(played.id), emulatorEnds })
  }
}

/** When the first webhook of a case got no answer, wall-clock time; a large number if all were answered. */
async function firstBroken({ orders, byHand }: Stage): Promise<number> {
  const ofOrders = await Promise.all(orders.filter(({ known }) => known).map((order) => order.deliveries()))
  const attempts = [...ofOrders.flat(), ...byHand].flatMap((delivery) => delivery.attempts)
  const broken = attempts.filter(({ outcome }) => outcome === 'connection').map(({ wallAt }) => wallAt)
  return Math.min(Number.MAX_SAFE_INTEGER, ...broken)
}

/** Whether a defect fails the run even in a SHOULD case. The service follows no redirects, so an application that
 *  redirects webhooks receives none. */
const failsAtAnyLevel = (id: CaseId, defect: Defect): boolean =>
  defect === 'repeated-id' || (id === 'K03' && defect === 'redirected')

const aboutTokens: readonly CaseId[] = ['K30', 'K31']

const goOnSelling =
  'Keep creating orders after this case: the log of your application may say why it does not. If it pauses on purpose after failed calls, set `patience` to more than that pause.'

const goOn =
  'Keep running, whatever it receives. If you did not stop it yourself, its log may say why it stopped.'

const notSeen = (note: string): Outcome => ({ verdict: 'NOT-SEEN', note, finding: null })

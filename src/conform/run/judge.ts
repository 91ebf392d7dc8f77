import { EmulatorUnreachable } from '../../index.ts'
import { stopwatch } from '../../time/wall.ts'
import type { Pulse } from '../application/pulse.ts'
import type { Case } from '../case.ts'
import { membersNamed } from '../config/needs.ts'
import { tokenRanOut } from '../evidence/tokens.ts'
import { Finding, NotSeen, WrongConfiguration } from '../finding.ts'
import { toldFinding } from '../report/told-finding.ts'
import type { CaseId, CaseResult, ConfigurationProblem, ToldFinding } from '../report.ts'
import type { Setting } from '../stage/setting.ts'
import { Stage } from '../stage/stage.ts'
import { OrderWatch } from './order-watch.ts'

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

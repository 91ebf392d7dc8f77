import { asksForTokens } from '../evidence/service-calls.ts'
import type { ConfigurationProblem } from '../report.ts'
import type { Setting } from '../stage/case-context.ts'
import { type ActName, actNames } from './acts.ts'
import type { Player, Sample } from './player.ts'

/** The acts that stories can have with this configuration. */
export interface Possible {
  readonly acts: readonly ActName[]
  /** Acts that no story can have, and why. */
  readonly leftOut: readonly { readonly acts: readonly string[]; readonly why: string }[]
  /** What the configuration lacks, so that no story could be judged. */
  readonly problems: readonly ConfigurationProblem[]
}

/** Finds out which acts are possible, by the configuration and an order.
 *  @throws ApplicationStopped if the application creates no order; WrongConfiguration */
export async function whatCanHappen(
  setting: Setting,
  player: Player,
  without: readonly ActName[],
): Promise<Possible> {
  const lacking = lackingIn(setting)
  if (lacking.length > 0) return { acts: [], leftOut: [], problems: lacking }
  const sample = await player.sample()
  if (sample.seen?.effects == null)
    return { acts: [], leftOut: [], problems: [{ member: 'probe.effects', message: needsEffects }] }
  const notPossible = await reasonsAgainst(setting, sample)
  const leftOut = [
    { acts: without, why: 'as you asked for' },
    ...notPossible.map(({ acts, why }) => ({ acts: acts.filter((act) => !without.includes(act)), why })),
  ].filter(({ acts }) => acts.length > 0)
  const missing = leftOut.flatMap(({ acts }) => acts)
  return { acts: actNames.filter((act) => !missing.includes(act)), leftOut, problems: [] }
}

const needsEffects =
  'explore judges by what your application has released; add `probe.effects`, a JSON pointer to the fulfilments of the order: a number, a list, or true or false'

function lackingIn({ app, learned }: Setting): ConfigurationProblem[] {
  const needed = [
    app.start === null && {
      member: 'start',
      message: 'explore needs `start`: a call that makes your application create an order',
    },
    app.probe === null && {
      member: 'probe',
      message:
        'explore needs `probe` with `probe.effects`: a call that shows what your application has released',
    },
    learned.answersNothing && {
      member: 'webhookUrl',
      message: 'your application answers no webhook; run `conform --only K03` first',
    },
  ]
  return needed.filter((problem) => problem !== false)
}

/** The acts that are not possible, and why. */
async function reasonsAgainst(
  { app, client }: Setting,
  { canReturn, outlastsRestart }: Sample,
): Promise<{ acts: readonly ActName[]; why: string }[]> {
  const all: readonly (readonly [readonly ActName[], string | false])[] = [
    [
      ['reconcile'],
      app.reconcile === null && 'set `reconcile`, if a job of your application looks open orders up',
    ],
    [['cancel'], app.cancel === null && 'set `cancel`, if customers can cancel orders'],
    [
      ['submit the cart again'],
      !app.takes('cart') && 'put `{cart}` into `start`, if your customers have carts',
    ],
    [
      ['the browser returns', 'the browser lies'],
      !canReturn && 'your application sends no `callbackUrl` that a browser can open',
    ],
    [
      ['forge a signature'],
      app.webhookSignature === 'none' && 'set `webhookSignature`, if your application verifies webhooks',
    ],
    [
      ['tokens expire', 'create, token expired'],
      !(await asksForTokens(client)) && 'your application has never asked for an access token',
    ],
    [
      ['restart'],
      outlastsRestart === null
        ? 'give the command that starts your application after `--`'
        : !outlastsRestart && 'after a restart your application no longer knew its order: give it a database',
    ],
  ]
  return all.flatMap(([acts, why]) => (why === false ? [] : [{ acts, why }]))
}

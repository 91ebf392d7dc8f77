import { catalogEntry, catalogEntrySchema } from '../../../domain/order/currencies.ts'
import { isAccepted, isCreate, isSubscription, placeIn, textIn } from '../../calls/answers.ts'
import { refusedInput, refusesOnly } from '../../calls/refused-input.ts'
import { optionalFields, requestFields } from '../../calls/wrong-fields.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import type { Call, Evidence } from '../../evidence/evidence.ts'
import { textsIn } from '../../evidence/parsed-json.ts'
import type { Rule } from '../rule.ts'

/** Which values create calls may have: intervals, apps, currencies and nulls (N1, N3, N25, N31). */
export const acceptedValues: Rule = {
  settings: [
    'subscription.intervals',
    'checkout.targetApps',
    'currencies.unknown',
    'validation.nullOptional',
  ],
  learn: (evidence, { claims }) => [
    intervalsOf(evidence, claims),
    targetAppsOf(evidence, claims),
    unknownCurrencies(evidence, claims),
    nullsOf(evidence, claims),
  ],
}

const sightOf = (call: Call, words: string, allows: Sight['allows']): Sight => ({
  source: call.source,
  unit: call.requestId ?? placeIn(call),
  words,
  allows,
})

const allIntervals = ['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'] as const

/** All sets of intervals, each in the order above. */
const intervalSets = Array.from({ length: 2 ** allIntervals.length - 1 }, (_, index) =>
  allIntervals.filter((_, bit) => ((index + 1) >> bit) & 1),
)

function intervalsOf({ calls }: Evidence, claims: Claims): Finding {
  const has = (value: unknown, interval: string) => Array.isArray(value) && value.includes(interval)
  const subscriptions = calls.filter(isSubscription)
  const sights = subscriptions.flatMap((call): Sight[] => {
    const interval = textIn(call, 'interval')
    if (interval === undefined) return []
    if (isAccepted(call))
      return [sightOf(call, `\`interval\` ${interval} was accepted`, (value) => has(value, interval))]
    if (!refusesOnly(call, 'interval')) return []
    const listed = listedIn(call).filter((name) => name !== interval)
    return [
      sightOf(call, `\`interval\` ${interval} was refused`, (value) => {
        const isSame = listed.length === 0 || (Array.isArray(value) && sameSet(value, listed))
        return !has(value, interval) && isSame
      }),
    ]
  })
  // Claims may list the intervals in another order, which makes no difference.
  const finding = eliminate(
    {
      setting: 'subscription.intervals',
      candidates: intervalSets,
      sights,
      evidence: (value, count) =>
        `${count} subscription calls were accepted or refused as with ${JSON.stringify(value)}`,
      nothing: 'no subscription call shows which intervals are accepted',
      decide: 'two subscription calls with each of the five intervals',
    },
    claims,
  )
  if (finding.left.length < 2 || finding.observations === 0) return finding
  const open = allIntervals.filter(
    (each) => finding.left.some((set) => has(set, each)) && finding.left.some((set) => !has(set, each)),
  )
  const accepted = allIntervals.filter((each) => finding.left.every((set) => has(set, each)))
  return {
    ...finding,
    evidence: `accepted: ${accepted.join(', ') || 'none'}; never tried: ${open.join(', ')}`,
    decide: `a subscription call with each of ${open.join(', ')}`,
  }
}

/** The accepted intervals, if a refusal lists them in words such as `must be one of MONTHLY, YEARLY`. */
function listedIn({ output }: Call): string[] {
  const lists = textsIn(output).flatMap(
    (text) => /\bone of ([A-Z]+(?:(?:, | or )[A-Z]+)*)/.exec(text)?.[1] ?? [],
  )
  return [...new Set(lists.flatMap((list) => list.split(/, | or /)))].filter((name) =>
    allIntervals.some((each) => each === name),
  )
}

const sameSet = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.every((each) => b.includes(each)) && b.every((each) => a.includes(each))

function targetAppsOf({ calls }: Evidence, claims: Claims): Finding {
  const asked = calls.filter((call) => isCreate(call) && textIn(call, 'mode') === 'returnAppUrl')
  const accepted = new Set<string>()
  const lists: string[][] = []
  const sights = asked.flatMap((call): Sight[] => {
    const app = textIn(call, 'targetApp')
    if (app === undefined) return []
    if (isAccepted(call)) {
      accepted.add(app)
      const allows = (value: unknown) => (Array.isArray(value) ? value.includes(app) : app !== 'INVALID_APP')
      return [sightOf(call, `\`targetApp\` ${app} was accepted`, allows)]
    }
    if (!refusesOnly(call, 'targetApp')) return []
    const list = appsListed(call)
    if (list !== null) lists.push(list)
    // Without a list no app is refused but this one and names that are too long.
    const isAlwaysRefused = app === 'INVALID_APP' || [...app].length > 100
    return [
      sightOf(call, `\`targetApp\` ${app} was refused`, (value) => {
        if (!Array.isArray(value)) return isAlwaysRefused && list === null
        return !value.includes(app) && (list === null || sameSet(value, list))
      }),
    ]
  })
  const names = [...accepted].join(', ')
  const open = `accepted: ${names || 'none'}; whether there are other apps does not show`
  const finding = eliminate(
    {
      setting: 'checkout.targetApps',
      candidates: ['any', ...(lists.length > 0 ? lists : [[...accepted]].filter((list) => list.length > 0))],
      sights,
      evidence: (_, count) => `${count} calls with \`mode: returnAppUrl\` were accepted or refused like this`,
      nothing: accepted.size > 0 ? open : 'no call with `mode: returnAppUrl` shows which apps are accepted',
      decide:
        'two refused calls with `mode: returnAppUrl` and an unknown `targetApp`, whose answers list the valid ones',
    },
    claims,
  )
  // Accepted names never show that there are no others.
  const isListed = lists.length > 0
  if (finding.state === 'unknown' || finding.state === 'contradictory' || isListed) return finding
  const { value: _, ...rest } = finding
  return { ...rest, state: 'unknown', evidence: open }
}

/** The apps that a refusal lists, in words such as `must be one of alpha, beta`. */
function appsListed({ output }: Call): string[] | null {
  for (const text of textsIn(output)) {
    const list = /(?:^|targetApp: )must be one of ([^;]+)(?:$|;)/.exec(text)?.[1]
    if (list !== undefined) return list.split(', ')
  }
  return null
}

function unknownCurrencies({ calls }: Evidence, claims: Claims): Finding {
  const catalog = catalogEntrySchema.array().safeParse(claims.get('currencies.catalog'))
  const sights = calls.filter(isCreate).flatMap((call): Sight[] => {
    const currencyId = textIn(call, 'currencyId')
    if (currencyId === undefined) return []
    if (isAccepted(call)) {
      // A currency that is accepted is in the catalogue, or unknown ones are accepted.
      if (!catalog.success) return []
      const isListed = catalogEntry({ 'currencies.catalog': catalog.data }, currencyId) !== undefined
      return isListed
        ? []
        : [sightOf(call, `\`currencyId\` ${currencyId} was accepted`, (value) => value === 'accept')]
    }
    return refusesOnly(call, 'currencyId')
      ? [sightOf(call, `\`currencyId\` ${currencyId} was refused`, (value) => value === 'refuse')]
      : []
  })
  return eliminate(
    {
      setting: 'currencies.unknown',
      candidates: ['accept', 'refuse'],
      sights,
      evidence: (value, count) =>
        `${count} create calls with an unknown \`currencyId\` were ${value === 'refuse' ? 'refused' : 'accepted'}`,
      nothing:
        'no create call was refused because of its `currencyId`, and accepted ones may be in a catalogue',
      decide: 'two create calls with a `currencyId` that does not exist',
    },
    claims,
  )
}

/** Fields that a rule of their own can require, so that a refusal says nothing about nulls. */
const requiredElsewhere: readonly string[] = ['targetApp', 'requestDescription', 'billingData']

function nullsOf({ calls }: Evidence, claims: Claims): Finding {
  const sights = calls.flatMap((call): Sight[] => {
    const fields = requestFields(call)
    const nulls = optionalFields(call.operation).filter((name) => fields[name] === null)
    const [first] = nulls
    if (first === undefined || call.method === 'GET') return []
    if (isAccepted(call))
      return [sightOf(call, `null in \`${first}\` was accepted`, (value) => value === 'absent')]
    const refused = refusedInput(call)?.named ?? []
    const named = nulls.find((name) => refused.includes(name) && !requiredElsewhere.includes(name))
    return named === undefined
      ? []
      : [sightOf(call, `null in \`${named}\` was refused`, (value) => value === 'refuse')]
  })
  return eliminate(
    {
      setting: 'validation.nullOptional',
      candidates: ['refuse', 'absent'],
      sights,
      evidence: (value, count) =>
        `${count} calls with null in an optional field were ${value === 'refuse' ? 'refused' : 'accepted'}`,
      nothing: 'no call has null in an optional field',
      decide: 'two create calls with null in an optional field',
    },
    claims,
  )
}

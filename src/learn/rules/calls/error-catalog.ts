import { errorReason } from '../../../domain/order/statuses.ts'
import type { Sight } from '../../elimination/eliminate.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { Source } from '../../traffic/exchange.ts'
import { concluded } from '../../webhook/conclusion.ts'
import { bodiesIn, compared, fixedForms } from '../../webhook/reading.ts'
import { counted } from '../../webhook/statuses.ts'
import type { Rule } from '../rule.ts'

/** The descriptions of error codes, in lookups and in webhooks. */
export const errorCatalog: Rule = {
  settings: ['errors.catalog'],
  learn: (evidence, { claims }) => {
    const reasons = reasonsIn(evidence)
    const described = (code: string, catalog: unknown): string =>
      errorReason(code, { 'errors.catalog': textsOf(catalog) }).errorDesc
    const sights = reasons.map(
      ({ code, text, source, unit }): Sight => ({
        ...{ source, unit, words: `${code} is described as ${JSON.stringify(text)}` },
        allows: (value) => described(code, value) === text,
      }),
    )
    const codes = [...Map.groupBy(reasons, ({ code }) => code)].map(([code, all]) => ({
      code,
      texts: counted(all.map(({ text }) => text)),
    }))
    const value = Object.fromEntries(
      codes.flatMap(({ code, texts: [first] }) =>
        first === undefined || first.text === described(code, {}) ? [] : [[code, first.text]],
      ),
    )
    const mixed = codes.find(({ texts }) => texts.length > 1)
    const missing = ['9004', '9005'].filter((code) => !codes.some((each) => each.code === code))
    const units = new Set(reasons.map(({ unit }) => unit)).size
    const state =
      mixed !== undefined || reasons.length === 0 ? 'unknown' : missing.length === 0 ? 'decided' : 'likely'
    const own = Object.keys(value)
    const words =
      reasons.length === 0
        ? 'the capture shows no error code with its description'
        : mixed === undefined
          ? `${units} orders failed with ${codes.map(({ code }) => code).join(', ')}; ${own.length === 0 ? 'all' : `all but ${own.join(', ')}`} have the usual descriptions`
          : `${mixed.code} has several descriptions: ${mixed.texts.map(({ text }) => JSON.stringify(text)).join(', ')}`
    const decide = `a lookup of an order that failed with ${missing.length === 0 ? 'another code' : missing.join(' or ')}`
    return [
      concluded({ setting: 'errors.catalog', state, value, units, evidence: words, decide, sights }, claims),
    ]
  },
}

const textsOf = (catalog: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldsOf(catalog)).flatMap(([code, text]) =>
      typeof text === 'string' ? [[code, text]] : [],
    ),
  )

interface SeenReason {
  readonly code: string
  readonly text: string
  readonly source: Source
  readonly unit: string
}

/** All error codes with a description. */
function reasonsIn(evidence: Evidence): SeenReason[] {
  const inLookups = evidence.orders.flatMap((order) =>
    order.lookups.flatMap(({ call, records }) =>
      [...records, fieldsOf(call.output)].flatMap(({ errorReason: reason }) =>
        reasonOf(fieldsOf(reason), ['errorCode', 'errorDesc'], {
          source: call.source,
          unit: order.requestId,
        }),
      ),
    ),
  )
  const bodies = bodiesIn(evidence)
  const inWebhooks = bodies.plain
    .filter((event) => compared(fixedForms.envelope, event, bodies).misfits.length === 0)
    .flatMap((event) =>
      reasonOf(fieldsOf(fieldsOf(event.content).error), ['code', 'message'], {
        source: event.source,
        unit: event.order.requestId,
      }),
    )
  return [...inLookups, ...inWebhooks]
}

function reasonOf(
  reason: Readonly<Record<string, unknown>>,
  [codeName, textName]: readonly [string, string],
  about: { readonly source: Source; readonly unit: string },
): SeenReason[] {
  const { [codeName]: code, [textName]: text } = reason
  return typeof code === 'string' && typeof text === 'string' && code !== '7001'
    ? [{ ...about, code, text }]
    : []
}

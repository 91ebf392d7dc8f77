import { allBecomePaid } from '../acts/until-paid.ts'
import { jsonIn } from '../application/json-pointer.ts'
import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { failing, type Script } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'
import { foundInNormalLife } from './found-before.ts'

/** The typed texts: short, because fields have limits, and without characters that databases refuse. */
const texts: readonly (readonly [what: string, text: string])[] = [
  ['quotes', `O'Neil "x" \\ %s`],
  ['SQL', `'); DROP TABLE a;--`],
  ['HTML', '<b>Tom</b> & "J" &amp;'],
  ['templates', `{{7*7}} \${7*7} <%=7%>`],
  ['shell syntax', '$(id) `id` ; id | id &'],
  ['emoji and invisible characters', '👩‍👧 שלום é\u200bß'],
  ['line breaks', 'one\ntwo\tthree'],
]

const longText = 'long '.repeat(400).trim()

const hostileReasons: readonly Script[] = [
  failing(`9'"<i>;--\${7*7}`),
  { ...failing('9004'), settings: { 'errors.catalog': { '9004': texts.map(([, text]) => text).join(' ') } } },
]

export const hostileTexts: Case = {
  id: 'K27',
  level: 'SHOULD',
  sideBySide: true,
  title: 'Texts that are special to a database, a page or a shell',
  happens:
    'Customers type quotes, SQL, HTML, templates, shell syntax, emoji, invisible characters, line breaks and a long text. The service also sends such texts as the reason of a failure.',
  right:
    'Pass each text on unchanged (or reject it with 4xx), and treat the order as FAILED whatever the reason says.',
  why: 'A text that changes on its way to the service was interpreted as code somewhere. Escape texts where they are shown.',
  explainedBy: [
    { cases: ['K02'], defect: 'wrong-status' },
    { cases: ['K02'], defect: 'premature' },
    ...foundInNormalLife,
  ],
  async run(stage) {
    if (stage.app.start !== null && stage.app.takes('text')) await typeThem(stage)
    for (const follows of hostileReasons) {
      const order = await stage.order({ follows })
      await stage.advanceAtLeast('10s')
      await order.becomesFailed()
    }
  },
}

async function typeThem(stage: Stage): Promise<void> {
  // An application that creates no order at all is not judged.
  await stage.order()
  const made: Typed[] = []
  for (const [what, text] of [...texts, ['a long text', longText] as const])
    made.push(...(await typed(stage, what, text)))
  const arrivals = await Promise.all(made.map(arrival))
  refuseAltered(arrivals)
  if (arrivals.every(({ found }) => found === null))
    stage.remark('No create call contains what the customer typed, so only reasons of failures were checked.')
  await stage.advanceAtLeast('10s')
  await allBecomePaid(
    stage,
    made.map(({ order }) => order),
  )
}

interface Typed {
  readonly what: string
  /** The typed text, after a marker by which it is found in the create call. */
  readonly text: string
  readonly mark: string
  readonly order: StagedOrder
}

/** Creates an order with a text that a customer types.
 *  @returns undefined if the application or the service refused the text
 *  @throws Finding if the application crashed */
async function typed(stage: Stage, what: string, typedText: string): Promise<Typed[]> {
  const mark = `t${stage.unique()}`
  const text = `${mark} ${typedText}`
  const { answered, order } = await stage.starting(async () => {
    const begun = await stage.begin({ given: { text } })
    return { answered: await begun.answer, order: await begun.order() }
  })
  const { status, error } = answered
  const creates = (await stage.calls()).filter(({ body }) => body.includes(mark))
  if (creates.some((call) => call.status !== 200)) return []
  if (status === null ? error !== null : status >= 500)
    throw new Finding({
      defect: status === null ? 'crashed' : 'server-error',
      did: `A customer typed ${what}, and the start call was ${status === null ? `not answered: ${error}` : `answered ${status}`}. The text: ${JSON.stringify(text.slice(0, mostShown))}`,
      deliveryId: null,
    })
  return order.orderId === null ? [] : [{ what, text, mark, order }]
}

const mostShown = 100

interface Arrival extends Typed {
  /** The text in the create call, from the marker on; null if it is missing. */
  readonly found: string | null
}

/** Reads the text from the create call. A marker without the blank after it is another value that the application
 *  derived: a part of an address, a name. */
async function arrival(typed: Typed): Promise<Arrival> {
  const creates = (await typed.order.calls()).filter(({ operation }) => operation?.startsWith('create-'))
  const carrying = creates
    .flatMap(({ body }) => stringsIn(body))
    .filter((each) => each.includes(`${typed.mark} `) && !/^\s*[[{]/.test(each))
    .map((each) => each.slice(each.indexOf(typed.mark)))
  return { ...typed, found: carrying.find((each) => each.startsWith(typed.text)) ?? carrying.at(-1) ?? null }
}

/** Whether the text was changed. Cutting it to a maximum length is allowed. */
const isAltered = ({ text, found }: Arrival): boolean =>
  found !== null && !found.startsWith(text) && !text.startsWith(found.replace(/(?:…|\.{3})$/, '').trimEnd())

function refuseAltered(arrivals: readonly Arrival[]): void {
  const altered = arrivals.filter(isAltered)
  const [first, ...more] = altered
  if (first === undefined) return
  const others = more.length === 0 ? '' : `, and also changed ${more.map(({ what }) => what).join(', ')}`
  throw new Finding({
    defect: 'altered',
    did: `A customer typed ${JSON.stringify(first.text)}, and it sent ${JSON.stringify(first.found?.slice(0, 2 * mostShown))} to the service${others}.`,
    requestId: first.order.requestId,
    deliveryId: null,
  })
}

/** All texts in a JSON value at any depth, field names and JSON inside texts included. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...within(value)]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)])
}

function within(text: string): string[] {
  const value = jsonIn(text)
  return typeof value === 'object' || typeof value === 'string' ? stringsIn(value) : []
}

import type { JournalEntry, TestEmulator } from '../../index.ts'
import { type Answer, functionCall } from '../application/application.ts'
import { answerWords, short } from '../application/http-call.ts'
import { jsonIn, leavesOf } from '../application/json-pointer.ts'
import type { ConfigurationProblem } from '../report.ts'
import type { Stage } from '../stage/stage.ts'
import type { StagedOrder } from '../stage/staged-order.ts'

/** A position in the request log, from which the calls of all clients are read. */
export interface HeardCalls {
  readonly emulator: TestEmulator
  /** The last request log entry of any client before the start call. */
  readonly after: string
}

/** Remembers the position at the end of the request log. */
export async function listening(emulator: TestEmulator): Promise<HeardCalls> {
  const [last] = await emulator.requests.list({ order: 'newest', limit: 1 })
  return { emulator, after: last?.id ?? '' }
}

/** Why a start call created no order, from its answer and the request log.
 *  @param member `start` or `startSubscription` */
export async function startProblem(
  member: string,
  answer: Answer,
  stage: Stage,
  { emulator, after }: HeardCalls,
): Promise<ConfigurationProblem> {
  const { clientId } = stage.client
  const entries = (await emulator.requests.list()).filter(({ id }) => id > after)
  const creates = entries.filter((entry) => entry.clientId === clientId && isCreate(entry))
  const accepted = creates.filter(({ status }) => status === 200)
  const refused = creates.findLast(({ status }) => status !== 200)
  const came = wordsOf(answer)
  if (accepted.length > 0) return { member: `${member}.requestId`, message: misread(answer, accepted) }
  if (refused !== undefined)
    return { member, message: `the service refused your application's create call: ${whyOf(refused)}` }
  const foreign = entries.findLast((entry) => entry.clientId !== clientId && entry.status !== 200)
  const elsewhere = entries.findLast((entry) => entry.clientId !== clientId && isCreate(entry))
  if (elsewhere !== undefined && elsewhere.status === 200)
    return {
      member: 'client',
      message: `your application created its order as the client ${elsewhere.clientId}, not as ${clientId}; set \`client: ${elsewhere.clientId}\`, or give your application the credentials of ${clientId}`,
    }
  if (foreign !== undefined)
    return {
      member,
      message: `your application called ${foreign.method} ${foreign.path.split('?')[0]}, which was refused: ${whyOf(foreign)}; \`payment-order-emulator status --env --client ${clientId}\` prints the credentials that it needs`,
    }
  if (answer.error !== null)
    return isFunction(answer)
      ? { member, message: `it threw: ${came}` }
      : { member: `${member}.url`, message: `${came}; is your application running there?` }
  if (answer.status !== null && (answer.status < 200 || answer.status > 299))
    return { member, message: `${came}; expected 2xx` }
  return {
    member,
    message: `${came}, but no create call came to the emulator at ${stage.client.url}; is that your application's base URL (PAYMENT_ORDER_BASE_URL)?`,
  }
}

const isFunction = ({ call }: Answer): boolean => call === functionCall

const wordsOf = (answer: Answer): string =>
  isFunction(answer)
    ? (answer.error ?? `it returned ${JSON.stringify(answer.requestId)}`)
    : `${answer.call} ${answerWords(answer)}`

const isCreate = ({ operation }: JournalEntry): boolean => operation?.startsWith('create-') ?? false

const whyOf = ({ diagnosis, response, status }: JournalEntry): string =>
  diagnosis?.message ?? `${status} ${short(response)}`

/** The problem of an order that exists, but whose id is missing in the answer. */
export async function unnamedOrder(
  member: string,
  answer: Answer,
  order: StagedOrder,
): Promise<ConfigurationProblem[]> {
  const unnamed = answer.id === null ? [{ member: `${member}.id`, message: withoutName(answer) }] : []
  if (answer.namesNone !== true) return unnamed
  const calls = await order.calls()
  return [{ member: `${member}.requestId`, message: misread(answer, calls.filter(isCreate)) }, ...unnamed]
}

function withoutName(answer: Answer): string {
  const pointers = leavesOf(jsonIn(answer.body)).map(({ pointer }) => pointer)
  const there = pointers.length === 0 ? '' : `. The answer has ${pointers.slice(0, 12).join(', ')}`
  return `${wordsOf(answer)}; there is no text or number at this pointer${there}`
}

/** The problem of an order that exists under another name than the answer has. */
function misread(answer: Answer, accepted: readonly JournalEntry[]): string {
  const names = accepted.flatMap(({ requestId }) => requestId ?? [])
  const body = jsonIn(answer.body)
  const right = leavesOf(body).find(({ value }) => typeof value === 'string' && names.includes(value))
  const found =
    answer.requestId === null
      ? 'nothing is at this pointer'
      : `this pointer leads to ${JSON.stringify(answer.requestId)}`
  const hint =
    right === undefined
      ? 'remove this field, and conform takes the requestId from the create call'
      : `use ${right.pointer}`
  return `${wordsOf(answer)}; ${found}, but your application created the order ${names.join(', ')}: ${hint}`
}

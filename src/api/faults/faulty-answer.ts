import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { codeOf } from '../../domain/answers/error-body.ts'
import { type AnswerEffect, bodiless, type Shown } from '../../domain/faults/answer/answer-fault.ts'
import { isObject } from '../../http/body.ts'
import { connectionOf } from '../../http/request.ts'
import { type ErrorBody, reasonOf, type ServiceResponse } from '../response.ts'

/** Thrown by a fault that answers a call in place of the service. */
export class FaultyAnswer extends Error {
  readonly answer: ServiceResponse

  constructor(answer: ServiceResponse) {
    super(`a fault answers ${answer.status}`)
    this.answer = answer
  }
}

/** Stands for a call without an answer; the request log shows status 0. */
export const unanswered = { status: 0, body: '', leaves: 'never' } as const

/** Builds the answer of a call that a fault affects.
 *  @param honest the service's answer; null before there is one
 *  @param errorBody formats an error if the fault sets no body */
export function faultyAnswer(
  effect: AnswerEffect,
  honest: ServiceResponse | null,
  errorBody: ErrorBody,
): ServiceResponse {
  const { leaves } = effect
  if (leaves === 'never') return unanswered
  if (leaves === 'reset') return { ...unanswered, leaves }
  const status = effect.status ?? honest?.status ?? 500
  const truth = effect.body ?? bodyFor(status, effect, honest, errorBody)
  const body = effect.shows === undefined ? truth : shown(truth, effect.shows)
  const headers = { ...honest?.headers, ...effect.headers }
  // The service's own body may contain a secret.
  const journalled = body === honest?.body ? (honest.journalled ?? body) : body
  if (leaves === 'whole') return { status, body, headers, journalled }
  return { status, body, headers, leaves, journalled: firstHalf(Buffer.from(journalled)).toString() }
}

function bodyFor(
  status: number,
  effect: AnswerEffect,
  honest: ServiceResponse | null,
  errorBody: ErrorBody,
): string {
  if (bodiless.includes(status)) return ''
  if (effect.status === null || status < 400) return honest?.body ?? ''
  const reason = reasonOf(status)
  const message = status === 401 ? 'Client verification failed' : reason
  return errorBody({ status, code: codeOf(reason), message })
}

/** Whether a fault only delays the call, which then continues. */
export const goesOn = ({ leaves, status }: AnswerEffect): boolean => leaves === 'whole' && status === null

/** Sends an answer in a faulty way: with a TCP reset, with half of its body, or not at all. The server framework
 *  believes that everything was sent. */
export function sendFaulty(
  c: Context,
  answer: ServiceResponse,
  headers: Readonly<Record<string, string>>,
): Response {
  const connection = connectionOf(c)
  if (connection === null) throw new Error('a request without a connection cannot be left unanswered')
  if (answer.leaves === 'reset') connection.socket.resetAndDestroy()
  if (answer.leaves === 'cut') {
    const bytes = Buffer.from(answer.body)
    connection.answer.writeHead(answer.status, { ...headers, 'content-length': bytes.length })
    connection.answer.write(firstHalf(bytes), () => connection.socket.destroySoon())
  }
  return RESPONSE_ALREADY_SENT
}

/** The half of a body that is sent before the connection breaks. */
const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2))

/** Changes the contents of an answer, to show wrong or additional data. */
function shown(body: string, shows: Shown): string {
  const answer: unknown = JSON.parse(body)
  if (!isObject(answer)) return body
  const added = shows === 'new-fields' ? unknownFields : {}
  const { data } = answer
  if (!Array.isArray(data)) return JSON.stringify({ ...answer, ...added })
  return JSON.stringify({ ...answer, ...added, data: data.map((record) => shownRecord(record, shows)) })
}

function shownRecord(record: unknown, shows: Shown): unknown {
  if (!isObject(record)) return record
  if (shows === 'new-fields') return { ...record, ...unknownFields }
  const { errorReason: _, ...rest } = record
  return { ...rest, orderStatus: 'ON_REVIEW' }
}

const unknownFields = { apiRevision: '2', extra: { trace: 'abc123', list: [1, { deep: true }] } }

import { request } from 'undici'
import * as z from 'zod'
import { CliError } from './cli-error.ts'
import type { ControlAccess } from './emulator-url.ts'

const answerWithinMs = 5_000

/** Thrown if nothing answers at the emulator's URL. */
export class Unreachable extends Error {}

/** Thrown if the emulator has refused a control call. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/** Calls the control API of a running emulator, and parses its answer.
 *  @see controlText */
export async function controlCall(...call: Parameters<typeof controlText>): Promise<unknown> {
  return JSON.parse(await controlText(...call))
}

/** Calls the control API of a running emulator.
 *  @param path the path after `/_emulator`
 *  @param withinMs how long to wait for an answer
 *  @returns the JSON text of the answer, in which large numbers have all their digits
 *  @throws Unreachable, Refused, CliError (the server is not an emulator) */
export async function controlText(
  { url, controlToken }: ControlAccess,
  method: 'GET' | 'PATCH' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  sent?: { type: string; text: string },
  withinMs = answerWithinMs,
): Promise<string> {
  // `fetch` refuses some ports (6000, 6666, ...) that an emulator may use.
  const { statusCode, body: answer } = await request(`${url}/_emulator${path}`, {
    method,
    headers: {
      ...(controlToken === null ? {} : { authorization: `Bearer ${controlToken}` }),
      ...(sent === undefined ? {} : { 'content-type': sent.type }),
    },
    body: sent?.text ?? null,
    signal: AbortSignal.timeout(withinMs),
    headersTimeout: 0,
  }).catch((error: unknown) => {
    throw new Unreachable(causeOf(error))
  })
  const text = await answer.text().catch(() => '')
  const body = jsonIn(text)
  if (statusCode >= 200 && statusCode <= 299 && body !== null) return text
  const refusal = errorAnswer.safeParse(body)
  if (refusal.success) throw new Refused(statusCode, refusal.data.error.message)
  throw notAnEmulator(url, statusCode)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The error for an emulator that does not answer. */
export const nobodyAnswers = (url: string, { message }: Unreachable): CliError =>
  new CliError(
    1,
    `error: no emulator answers at ${url}: ${message}. Start one with \`npx payment-order-emulator\`, or pass \`--url\``,
  )

/** The error for a server that is not an emulator. */
export const notAnEmulator = (url: string, status: number): CliError =>
  new CliError(
    1,
    `error: the server at ${url} answers with ${status}, but is not an emulator. Pass the emulator's URL with \`--url\``,
  )

/** The cause of a failed request; if a name has several addresses, that of the first. */
export function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message
  if (!(error instanceof Error)) return String(error)
  return error.name === 'TimeoutError' ? 'no answer in time' : error.message
}

import type { Hono } from 'hono'
import * as z from 'zod'
import { pageOf } from '../../control/shapes/common.ts'
import { handedOver } from '../../http/body.ts'
import { queryText } from '../../http/request.ts'
import type { Action } from './action.ts'

/** The maximum number of items that are read of a list. */
const most = 5_000

/** Reads a list completely, for data that is searched and grouped as a whole: scenarios, assumptions, clients. Never
 *  for data that grows with traffic. */
export async function allItems<Item extends z.ZodType>(
  api: Pick<ControlApi, 'get'>,
  path: string,
  item: Item,
  query: Readonly<Record<string, string | undefined>> = {},
): Promise<z.output<Item>[]> {
  const items: z.output<Item>[] = []
  let cursor: string | null | undefined
  do {
    const page = await api.get(path, pageOf(item), { limit: '1000', ...query, cursor: cursor ?? undefined })
    items.push(...page.items)
    cursor = page.next
  } while (cursor !== null && items.length < most)
  return items
}

/** Thrown if the control API refuses a call of a page. */
export class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, { code, message }: { code: string; message: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The result, or the message of a rejected filter, which is shown in place of the list.
 *  @throws Refused for other errors */
export async function orRefusal<T>(asked: Promise<T>): Promise<T | string> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Refused && ['invalid_input', 'bad_cursor'].includes(error.code)) return error.message
    throw error
  }
}

/** Returns the result of a call, or null if the object does not exist.
 *  @throws Refused for other errors */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null
    throw error
  }
}

const errorAnswer = z.looseObject({ error: z.object({ code: z.string(), message: z.string() }) })

/** Returns the error in an answer; null if there is none. */
export function errorIn(text: string): { code: string; message: string } | null {
  try {
    return errorAnswer.parse(JSON.parse(text)).error
  } catch {
    return null
  }
}

/** The control API without a connection, as the dashboard uses it: a page shows only what a test could read, and a
 *  button does only what `curl` could do. */
export class ControlApi {
  readonly #control: Hono

  constructor(control: Hono) {
    this.#control = control
  }

  /** Reads an object from the control API.
   *  @param path the path below `/_emulator`
   *  @param shape the schema of the answer, from `src/control/shapes`
   *  @throws Refused */
  async get<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    query: Readonly<Record<string, string | undefined>> = {},
  ): Promise<z.output<Shape>> {
    return shape.parse(JSON.parse(await this.text(path, query)))
  }

  /** Reads a thing as JSON text.
   *  @throws Refused */
  async text(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    const answer = await this.#control.request(`/_emulator${path}${queryText(query)}`)
    const text = await answer.text()
    if (answer.ok) return text
    throw new Refused(answer.status, errorAnswer.parse(JSON.parse(text)).error)
  }

  /** Makes a call that changes something, and returns the answer, also of a rejected call.
   *  @param file the body, instead of the text of the action */
  async act({ method, path, type, text }: Action, file?: Buffer): Promise<{ status: number; text: string }> {
    const answer = await this.#control.request(
      `/_emulator${path}`,
      {
        method,
        ...(text === null && file === undefined ? {} : { headers: { 'content-type': type }, body: text }),
      },
      handedOver(file),
    )
    return { status: answer.status, text: await answer.text() }
  }
}

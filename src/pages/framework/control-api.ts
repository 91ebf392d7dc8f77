import type { Hono } from 'hono'
import * as z from 'zod'
import { pageOf } from '../../control/shapes/common.ts'
import { handedOver } from '../../http/body.ts'
import { queryText } from '../../http/request.ts'
import type { Action } from './action.ts'

/** No list that is read to its end has more. */
const most = 5_000

/** A list from its first page to its last, for what is searched and grouped as a whole: scenarios, choices, clients.
 *  Never for what grows with traffic. */
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

/** What the control API said instead of what was asked for. */
export class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, { code, message }: { code: string; message: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What was asked for, or in words why a filter can have nothing: whoever types it sees that in the list's place.
 *  @throws Refused for all else */
export async function orRefusal<T>(asked: Promise<T>): Promise<T | string> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Refused && ['invalid_input', 'bad_cursor'].includes(error.code)) return error.message
    throw error
  }
}

/** What was asked for, or null where there is no such thing. @throws Refused for all else */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null
    throw error
  }
}

const errorAnswer = z.looseObject({ error: z.object({ code: z.string(), message: z.string() }) })

/** The error that an answer tells of; null for what is none. */
export function errorIn(text: string): { code: string; message: string } | null {
  try {
    return errorAnswer.parse(JSON.parse(text)).error
  } catch {
    return null
  }
}

/** The control API as the dashboard uses it: the very calls that everyone can make, without a connection. So a page
 *  shows nothing that a test could not read, and a button does nothing that `curl` could not. */
export class ControlApi {
  readonly #control: Hono

  constructor(control: Hono) {
    this.#control = control
  }

  /** Reads a thing.
   *  @param path below `/_emulator`
   *  @param shape of `src/control/shapes`
   *  @throws Refused */
  async get<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    query: Readonly<Record<string, string | undefined>> = {},
  ): Promise<z.output<Shape>> {
    return shape.parse(JSON.parse(await this.text(path, query)))
  }

  /** Reads a thing, as JSON text. @throws Refused */
  async text(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    const answer = await this.#control.request(`/_emulator${path}${queryText(query)}`)
    const text = await answer.text()
    if (answer.ok) return text
    throw new Refused(answer.status, errorAnswer.parse(JSON.parse(text)).error)
  }

  /** Makes a call that changes something, and answers what came back, refusals too.
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

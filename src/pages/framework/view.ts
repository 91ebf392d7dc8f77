import type { Child } from 'hono/jsx'
import type { z } from 'zod'
import type { dueClock } from '../../control/shapes/clocks.ts'
import type { failures } from '../../control/shapes/overview.ts'
import { queryText } from '../../http/request.ts'
import type { ControlApi } from './control-api.ts'
import type { Note } from './notes.ts'

/** Returns the path of an object's page, below `/_emulator`, with escaped ids: `a/b?c#d`. */
const pageOf =
  (list: string) =>
  (id: string): string =>
    `/ui/${list}/${encodeURIComponent(id)}`

export const orderPath = pageOf('orders')
export const deliveryPath = pageOf('deliveries')
export const requestPath = pageOf('requests')
export const scenarioPath = pageOf('scenarios')
export const clientPath = pageOf('clients')

/** The data that every page of the dashboard needs. */
export interface Shell {
  /** The origin of the browser's request, such as `http://localhost:4600`. */
  readonly origin: string
  /** The path and query of the page, without the note. */
  readonly here: string
  /** The id of the selected client. */
  readonly clientId: string | undefined
  /** The names of all clients; null if they are too many for a selection list. */
  readonly clients: readonly string[] | null
  readonly clocksInSight: ClocksInSight
  /** The failures since the browser last looked at them. */
  readonly failures: Failures
  /** Whether each button shows its command. */
  readonly showsCommands: boolean
  /** The note about the last button. */
  readonly note: Note | null
  /** Whether the control API requires a token. */
  readonly asksForToken: boolean
  readonly version: string
  /** The command that calls this program, for people to copy. */
  readonly programCall: string
}

/** The content of a page. */
export interface View {
  readonly title: string
  /** Whether the page is refreshed whenever something changes. */
  readonly isLive?: boolean
  /** The upper part of a page, which is not refreshed: filters and forms with input. */
  readonly tools?: Child
  readonly body: Child
  /** The failures that somebody who sees this page has looked at. */
  readonly looksAt?: keyof Failures
  /** The HTTP status of the page; 200 if left out. */
  readonly status?: 404
}

/** The request that a page answers, and its means to read data. */
export interface Asked {
  readonly api: ControlApi
  readonly shell: Shell
  /** The query of the page; of repeated parameters the first value. */
  readonly query: Readonly<Record<string, string | undefined>>
  /** Returns a decoded parameter of the path. */
  readonly param: (name: string) => string
}

/** A page of the dashboard. */
export interface DashboardPage {
  /** Below `/_emulator`, with parameters as in Hono: `/ui/orders/:orderId`. */
  readonly path: string
  readonly show: (asked: Asked) => Promise<View>
}

/** A link to a page of the dashboard for the same client.
 *  @param path below `/_emulator` */
export function linkTo(
  { clientId }: Pick<Shell, 'clientId'>,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  return `/_emulator${path}${queryText({ clientId, ...query })}`
}

/** A client's clock with its next due time. */
export type DueClock = z.output<typeof dueClock>

/** The page of what is due next: of the webhook, else of the order; undefined for a held answer. */
export function pathOfNext({ deliveryId, orderId }: NonNullable<DueClock['next']>): string | undefined {
  if (deliveryId !== null) return deliveryPath(deliveryId)
  return orderId === null ? undefined : orderPath(orderId)
}

/** The clocks that a page shows and moves. */
export interface ClocksInSight {
  /** At most twenty. */
  readonly clocks: readonly DueClock[]
  /** Whether there are no others. */
  readonly areAll: boolean
}

export type Failures = z.output<typeof failures>

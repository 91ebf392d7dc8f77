import type { Child } from 'hono/jsx'
import type { z } from 'zod'
import type { dueClock } from '../../control/shapes/clocks.ts'
import { queryText } from '../../http/request.ts'
import type { ControlApi } from './control-api.ts'
import type { Note } from './notes.ts'

/** The page of one thing, below `/_emulator`. An id may hold what an address means otherwise: `a/b?c#d`. */
const pageOf =
  (list: string) =>
  (id: string): string =>
    `/ui/${list}/${encodeURIComponent(id)}`

/** The page of an order. */
export const orderPath = pageOf('orders')
/** The page of a webhook. */
export const deliveryPath = pageOf('deliveries')
/** The page of a request. */
export const requestPath = pageOf('requests')
/** The page of a scenario. */
export const scenarioPath = pageOf('scenarios')
/** The page of a client. */
export const clientPath = pageOf('clients')

/** What the event stream tells of; a page names those that change it. */
type Topic = 'order' | 'delivery' | 'request' | 'clock' | 'setup'

/** What surrounds a page. */
export interface Shell {
  /** Under which the browser reaches the emulator. */
  readonly origin: string
  /** Path and query of the page, without the note. */
  readonly here: string
  /** The client that the pages are narrowed to. */
  readonly clientId: string | undefined
  /** The names of all clients; null if they are too many to choose from. */
  readonly clients: readonly string[] | null
  /** The clock that the pages are about; null if they are about several. */
  readonly clock: DueClock | null
  /** What the button did that led here. */
  readonly note: Note | null
  /** Whether the control API asks for a token. */
  readonly asksForToken: boolean
  readonly version: string
  /** The command that calls this program, for people to copy. */
  readonly programCall: string
}

/** What a page is made of. */
export interface View {
  readonly title: string
  /** Made anew when one of these happens; never if left out. */
  readonly topics?: readonly Topic[]
  /** Stands above and is not made anew: filters, forms in which somebody may be typing. */
  readonly tools?: Child
  readonly body: Child
  /** Of the answer; 200 if left out. */
  readonly status?: 404
}

/** What a page is asked. */
export interface Asked {
  readonly api: ControlApi
  readonly shell: Shell
  /** The first value of each parameter. */
  readonly query: Readonly<Record<string, string | undefined>>
  /** A parameter of the path, decoded. */
  readonly param: (name: string) => string
}

/** A page of the dashboard. */
export interface DashboardPage {
  /** Below `/_emulator`, parameters as Hono writes them: `/ui/orders/:orderId`. */
  readonly path: string
  readonly show: (asked: Asked) => Promise<View>
}

/** A link to a page of the dashboard, narrowed to the same client.
 *  @param path below `/_emulator` */
export function linkTo(
  { clientId }: Pick<Shell, 'clientId'>,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  return `/_emulator${path}${queryText({ clientId, ...query })}`
}

/** A clock with what is due next on it. */
export type DueClock = z.output<typeof dueClock>

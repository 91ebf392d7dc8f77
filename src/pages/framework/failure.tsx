import type { Context } from 'hono'
import { refusalOf } from '../../control/answer.ts'
import type { ControlParts } from '../../control/parts.ts'
import { EmulatorError } from '../../domain/text/errors.ts'
import { urlParts } from '../../http/request.ts'
import { UnusableForm } from './action.ts'
import { Refused } from './control-api.ts'
import { dashboardPage, page, placeOf, plainPage } from './layout.tsx'
import { withoutNote } from './notes.ts'
import { linkTo, type Shell } from './view.ts'

/** The page in place of one that cannot be shown. Programs get the error as JSON. */
export async function failure(
  error: Error,
  c: Context,
  shellOf: (c: Context) => Promise<Shell>,
  parts: ControlParts,
): Promise<Response> {
  if (!c.req.header('accept')?.includes('text/html')) return jsonOf(error, parts)
  if (error instanceof UnusableForm) return page(plainPage('Invalid form', <p>{error.message}</p>), 400)
  if (error instanceof Refused) return refusedPage(error, await shellOf(c))
  if (!(error instanceof EmulatorError)) {
    const id = parts.journal.nextId()
    parts.onError(error, id)
    return page(plainPage('A bug', <p>{new EmulatorError('internal', { id }).message}</p>), 500)
  }
  if (error.code !== 'control_token') return page(plainPage('Refused', <p>{error.message}</p>), error.status)
  const back = c.req.method === 'GET' ? withoutNote(urlParts(c.req.url).path) : '/_emulator/'
  return page(plainPage('Control token', <TokenQuestion back={back} wrong={false} />), error.status)
}

/** The page that shows an error of the control API. */
function refusedPage({ status, message }: Refused, shell: Shell): Response {
  const title = status === 404 ? 'Not found' : 'Refused'
  const body = (
    <div class="empty">
      <p>{message}</p>
      <WayBack shell={shell} />
    </div>
  )
  return page(dashboardPage({ title, body }, shell), status)
}

/** Passes on an error of the control API; an invalid form is bad input. */
function jsonOf(error: Error, parts: ControlParts): Response {
  if (error instanceof Refused) {
    const { status, code, message } = error
    return Response.json({ error: { code, message } }, { status })
  }
  const known =
    error instanceof UnusableForm ? new EmulatorError('invalid_input', { problems: error.message }) : error
  return refusalOf(known, parts)
}

/** Asks for the control token; the browser stores the answer as a cookie. */
export function TokenQuestion({ back, wrong }: { back: string; wrong: boolean }) {
  return (
    <form method="post" action="/_emulator/ui/token" class="card">
      <p>
        This emulator requires its control token. It was printed at the start, or set with{' '}
        <code>--control-token</code>.
      </p>
      {wrong ? (
        <p class="wrong" role="alert" id="token-wrong">
          Wrong control token.
        </p>
      ) : null}
      <input type="hidden" name="back" value={back} />
      <div class="field">
        <label for="token">Control token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          aria-describedby={wrong ? 'token-wrong' : undefined}
        />
      </div>
      <button type="submit" class="button primary">
        Open the dashboard
      </button>
    </form>
  )
}

/** A link from a missing page to its list. The client is left out, because it may be the error in the address. */
export function WayBack({ shell }: { shell: Shell }) {
  const { path, name } = placeOf(shell)
  return (
    <p>
      <a href={linkTo({ clientId: undefined }, path)}>Go to {name}</a>
    </p>
  )
}

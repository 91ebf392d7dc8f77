import type { Context } from 'hono'
import type { ControlParts } from '../../control/parts.ts'
import { refused } from '../../control/refused.ts'
import { EmulatorError } from '../../domain/errors.ts'
import { urlParts } from '../../http/request.ts'
import { UnusableForm } from './action.ts'
import { withoutNote } from './back.ts'
import { Refused } from './control-api.ts'
import { dashboardPage, plainPage } from './layout.tsx'
import { page } from './page.ts'
import { TokenQuestion } from './token-question.tsx'
import type { Shell } from './view.ts'
import { WayBack } from './way-back.tsx'

/** What stands in the place of a page that cannot be shown. Programs that came here get the error as JSON. */
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

/** What the control API refused to tell. */
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

/** What the control API said is said on; a form that makes no sense is bad input to a program. */
function jsonOf(error: Error, parts: ControlParts): Response {
  if (error instanceof Refused) {
    const { status, code, message } = error
    return Response.json({ error: { code, message } }, { status })
  }
  const known =
    error instanceof UnusableForm ? new EmulatorError('invalid_input', { problems: error.message }) : error
  return refused(known, parts)
}

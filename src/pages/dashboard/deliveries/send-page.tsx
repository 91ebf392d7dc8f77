import * as z from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import { pageOf } from '../../../control/shapes/page.ts'
import { type ControlApi, orNull } from '../control-api.ts'
import { Act, type Field } from '../form.tsx'
import type { Note } from '../notes.ts'
import { deliveryPath } from '../paths.ts'
import { type DashboardPage, linkTo, type Shell } from '../view.ts'
import { AttemptTable } from './attempts.tsx'
import { bodyFields, eventFields, misbehaviour } from './send-fields.ts'
import { UrlHelp } from './webhook-url.tsx'

const path = '/ui/deliveries/send'

/** `/_emulator/ui/deliveries/send`: a webhook made by hand, right or wrong in every way there is. */
export const sendPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const copied = query.copy ? await original(api, shell, query.copy) : null
    const named = copied?.clientId ?? (query.of || shell.clientId)
    const client = named === undefined ? await firstClient(api) : await clientNamed(api, named)
    const whose: Field = {
      ...{ type: 'text', name: 'clientId', label: 'Client', required: true },
      // One that is gone stays named: a webhook for another application would be signed with another key.
      ...{ value: named ?? client?.clientId, suggestions: shell.clients ?? undefined },
    }
    const body = copied?.bodyText ?? query.body
    return {
      title: 'Send a webhook by hand',
      body: (
        <>
          <p>
            It is sent immediately and bypasses the queue: no hold delays it, and there are no retries. It is
            recorded like every other webhook.
          </p>
          <Sent shell={shell} />
          {client?.webhookUrl === null ? <UrlHelp shell={shell} clientId={client.clientId} /> : null}
          <div class="beside">
            <section class="card columns" aria-labelledby="by-event">
              <h2 id="by-event">An event</h2>
              <p class="hint">In the client’s payload format, signed as usual.</p>
              <SendForm shell={shell} id="event" fields={[whose, ...eventFields(query)]} />
            </section>
            <section class="card columns" aria-labelledby="by-body">
              <h2 id="by-body">Any body</h2>
              <p class="hint">Exactly these bytes: invalid JSON, half a body, another event.</p>
              <SendForm shell={shell} id="text" fields={[whose, ...bodyFields(body)]} />
            </section>
          </div>
        </>
      ),
    }
  },
}

/** The webhook that is to be sent again in a changed form. */
const original = (api: ControlApi, { clientId }: Shell, id: string) =>
  api.get(`/deliveries/${encodeURIComponent(id)}`, deliveryShape, { clientId })

const clientNamed = (api: ControlApi, clientId: string) =>
  orNull(api.get(`/clients/${encodeURIComponent(clientId)}`, clientShape))

async function firstClient(api: ControlApi): Promise<z.output<typeof clientShape> | undefined> {
  const { items } = await api.get('/clients', pageOf(clientShape), { limit: '1' })
  return items[0]
}

function SendForm({ shell, id, fields }: { shell: Shell; id: string; fields: readonly Field[] }) {
  return (
    <Act
      shell={shell}
      id={`send-${id}`}
      action={{ method: 'POST', path: '/deliveries' }}
      label="Send it"
      look="primary"
      fields={[...fields, ...misbehaviour]}
    />
  )
}

/** What the form has just sent, with how each copy was taken. */
function Sent({ shell }: { shell: Shell }) {
  const delivery = shell.note === null ? null : sentBy(shell.note)
  if (delivery === null) return null
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">
        Sent: <a href={linkTo(shell, deliveryPath(delivery.id))}>{delivery.id}</a>
      </h2>
      <AttemptTable shell={shell} delivery={delivery} chosen={undefined} />
    </section>
  )
}

/** The delivery that a note tells of. */
function sentBy({ action, status, text }: Note): z.output<typeof deliveryShape> | null {
  if (action?.path.split('?')[0] !== '/deliveries' || status !== 201) return null
  const answer = z.string().transform(parsed).pipe(deliveryShape).safeParse(text)
  return answer.success ? answer.data : null
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}

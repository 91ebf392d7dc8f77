import * as z from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import { orderStatuses } from '../../../domain/order/statuses.ts'
import { type ControlApi, orNull } from '../../framework/control-api.ts'
import { Act, type Field } from '../../framework/form.tsx'
import type { Note } from '../../framework/notes.ts'
import { type Asked, type DashboardPage, deliveryPath, linkTo, type Shell } from '../../framework/view.ts'
import { AttemptTable } from './attempts.tsx'
import { UrlHelp } from './webhook-url.tsx'

/** The form fields for an event.
 *  @param query values to fill in */
const eventFields = ({ requestId, orderStatus }: Asked['query']): readonly Field[] => [
  {
    ...{ type: 'text', name: 'event.requestId', label: 'requestId', value: requestId, required: true },
    hint: 'Empty fields below are filled from its latest order.',
  },
  {
    ...{ type: 'text', name: 'event.orderStatus', label: 'Event (orderStatus)', value: orderStatus },
    suggestions: orderStatuses,
  },
  { type: 'text', name: 'event.orderId', label: 'orderId' },
  {
    ...{ type: 'text', name: 'event.orderType', label: 'orderType' },
    suggestions: ['CHECKOUT', 'SUBSCRIPTION'],
  },
  { type: 'text', name: 'event.errorCode', label: 'errorCode', hint: 'For FAILED, such as 9004.' },
]

/** The form field for a custom body.
 *  @param body the initial text */
const bodyFields = (body: string | undefined): readonly Field[] => [
  {
    ...{ type: 'text', name: 'body', label: 'Body', rows: 8, value: body, required: true },
    placeholder: '{"requestId":"r1","orderStatus":"COMPLETED"}',
  },
]

/** The form fields for faults of a webhook, each with its purpose. */
const misbehaviour: readonly Field[] = [
  {
    ...{ type: 'json', name: 'sign', label: 'Signature' },
    options: [
      { value: '', label: 'right' },
      { value: '"wrong"', label: 'made with another key' },
      { value: '"old"', label: 'valid, but ten minutes old' },
      { value: 'false', label: 'none' },
    ],
    hint: 'A receiver must reject all but the first.',
  },
  {
    ...{ type: 'json', name: 'signatures', label: 'Several signatures' },
    options: [
      { value: '', label: 'as usual' },
      { value: '["foreign","current"]', label: 'foreign, current' },
      { value: '["current","foreign"]', label: 'current, foreign' },
      { value: '["current","previous"]', label: 'current, previous' },
      { value: '["previous","current"]', label: 'previous, current' },
      { value: '["previous"]', label: 'previous only' },
      { value: '["foreign"]', label: 'foreign only' },
    ],
    hint: 'A receiver must accept the webhook if any of them is valid.',
  },
  {
    ...{ type: 'json', name: 'signatureVersions', label: 'Their versions', placeholder: '["v9","v1"]' },
    hint: 'One for each. A receiver ignores versions that it does not know, such as v9.',
  },
  {
    ...{ type: 'text', name: 'timestamp', label: 'Timestamp offset', placeholder: '-10m' },
    hint: 'With a valid signature: -10m is a replay, 10m is in the future.',
  },
  {
    ...{ type: 'boolean', name: 'tamper', label: 'Change a byte' },
    options: [
      { value: '', label: 'no' },
      { value: 'true', label: 'yes, after signing' },
    ],
    hint: 'The signature no longer matches the body.',
  },
  {
    ...{ type: 'number', name: 'truncate', label: 'Send only this many bytes', placeholder: 'all' },
    hint: 'The shortened body arrives with the signature of the full body.',
  },
  {
    ...{ type: 'number', name: 'cut', label: 'Cut the connection after bytes', placeholder: 'never' },
    hint: 'A number, or end: after the body, before any answer is read.',
  },
  {
    ...{ type: 'number', name: 'copies', label: 'Copies', placeholder: '1' },
    hint: 'Same id and bytes, up to 50 times: does your application handle it once?',
  },
  {
    ...{ type: 'boolean', name: 'together', label: 'When' },
    options: [
      { value: '', label: 'one after the other' },
      { value: 'true', label: 'all at the same time' },
    ],
    hint: 'Sending at the same time reveals races between handlers.',
  },
  {
    ...{
      type: 'json',
      name: 'headers',
      label: 'Headers',
      placeholder: '{"content-type":"text/plain"}',
      rows: 2,
    },
    hint: 'As JSON. They override the usual headers; null removes one.',
  },
]

const path = '/ui/deliveries/send'

/** `/_emulator/ui/deliveries/send`: sends a webhook by hand, correct or faulty in any way. */
export const sendPage: DashboardPage = {
  path,
  show: async ({ api, shell, query }) => {
    const copied = query.copy ? await original(api, shell, query.copy) : null
    const named = copied?.clientId ?? (query.of || shell.clientId)
    const client = named === undefined ? await firstClient(api) : await clientNamed(api, named)
    const whose: Field = {
      ...{ type: 'text', name: 'clientId', label: 'Client', required: true },
      // A removed client stays selected: a webhook for another application would be signed with another key.
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

/** Reads the delivery that is to be sent again in a changed form. */
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

/** The webhook that the form has just sent, with the answer to each copy. */
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

/** Returns the delivery that the note about a sent webhook contains. */
function sentBy({ action, status, text }: Note): z.output<typeof deliveryShape> | null {
  if (action?.path.split('?')[0] !== '/deliveries' || status !== 201) return null
  const answer = z.string().transform(parsed).pipe(deliveryShape).safeParse(text)
  return answer.success ? answer.data : null
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}

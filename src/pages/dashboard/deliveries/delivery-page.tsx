import type { Child } from 'hono/jsx'
import type { z } from 'zod'
import { client as clientShape } from '../../../control/shapes/client.ts'
import { pageOf } from '../../../control/shapes/common.ts'
import { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import { order as orderShape } from '../../../control/shapes/order.ts'
import { settingsAnswer } from '../../../control/shapes/settings.ts'
import { type Settings, settingsShown } from '../../../domain/choices/settings.ts'
import { fits } from '../../../domain/text/where.ts'
import { jwtOf } from '../../../domain/webhook/jwt.ts'
import { secretFields } from '../../../domain/webhook/secret.ts'
import type { ControlApi } from '../../framework/control-api.ts'
import { Act } from '../../framework/form.tsx'
import { BodyText, byteWords } from '../../framework/long-text.tsx'
import { Facts, Moment, Status } from '../../framework/parts.tsx'
import {
  clientPath,
  type DashboardPage,
  linkTo,
  orderPath,
  type Shell,
  scenarioPath,
} from '../../framework/view.ts'
import { AttemptDetail, AttemptTable } from './attempts.tsx'
import { planSentences } from './fault-words.ts'
import { nextTryWords, pauseWords } from './next-try.ts'
import { DeliveryNotices } from './notices.tsx'
import { UrlHelp } from './webhook-url.tsx'

type Delivery = z.output<typeof deliveryShape>

/** The data of a delivery's page. */
interface Around {
  readonly shell: Shell
  readonly delivery: Delivery
  readonly client: z.output<typeof clientShape>
  readonly settings: Readonly<Record<string, unknown>>
  /** How the webhook is signed. */
  readonly signing: Settings
  /** The order of the delivery; null for a webhook sent by hand. */
  readonly order: z.output<typeof orderShape> | null
}

/** `/_emulator/ui/deliveries/{id}`: a webhook with its bytes and every attempt. */
export const deliveryPage: DashboardPage = {
  path: '/ui/deliveries/:id',
  show: async ({ api, shell, query, param }) => {
    const context = await look(api, shell, param('id'))
    const { delivery, client } = context
    const chosen = delivery.attempts.find(({ n }) => String(n) === query.attempt) ?? delivery.attempts.at(-1)
    const inTheWay = { ...client, holds: client.holds?.filter((where) => fits(where, delivery)) }
    const name = [delivery.orderStatus, delivery.requestId && `of ${delivery.requestId}`].filter(Boolean)
    return {
      title: `Webhook ${name.join(' ') || delivery.id}`,
      isLive: true,
      body: (
        <>
          <DeliveryNotices shell={shell} clients={[inTheWay]} />
          {client.webhookUrl === null ? <UrlHelp shell={shell} clientId={client.clientId} /> : null}
          <Summary {...context} />
          <Buttons {...context} />
          <h2 id="attempts">Attempts</h2>
          <AttemptTable shell={shell} delivery={delivery} chosen={chosen?.n} />
          <h2 id="body">Body</h2>
          <p class="hint">
            {byteWords(delivery.bodyText)}, the same on every attempt
            {delivery.batch === undefined ? '' : ', as one event of the webhook'}.{' '}
            <a href={jsonOf(context)}>JSON</a>
          </p>
          <BodyText id="body-text" text={delivery.bodyText} whole={jsonOf(context)} />
          <Claims {...context} />
          {chosen === undefined ? null : (
            <AttemptDetail {...context} attempt={chosen} whole={jsonOf(context)} />
          )}
        </>
      ),
    }
  },
}

async function look(api: ControlApi, shell: Shell, id: string): Promise<Around> {
  const ofScope = { clientId: shell.clientId }
  const delivery = await api.get(`/deliveries/${encodeURIComponent(id)}`, deliveryShape, ofScope)
  const { clientId, orderId } = delivery
  const [client, { effective }, orders] = await Promise.all([
    api.get(`/clients/${encodeURIComponent(clientId)}`, clientShape),
    api.get('/settings', settingsAnswer, { clientId }),
    orderId === '' ? null : api.get('/orders', pageOf(orderShape), { clientId, orderId, limit: '1' }),
  ])
  const settings = { ...effective, ...delivery.plan?.settings }
  const signing = settingsShown(effective, delivery.plan?.settings ?? {})
  return { shell, delivery, client, settings, signing, order: orders?.items[0] ?? null }
}

/** The path of the delivery in the control API. */
const jsonOf = ({ delivery: { id } }: Pick<Around, 'delivery'>): string =>
  `/_emulator/deliveries/${encodeURIComponent(id)}`

function Claims({ shell, delivery, client: { clientId }, signing }: Around) {
  const claims = tokenClaims(delivery.bodyText)
  const jwt = jwtOf(signing)
  if (claims === null || jwt === null) return null
  return (
    <>
      <h3>Content of the token</h3>
      <p class="hint">
        The body is a JWT. Its key is the <code>{secretFields[jwt.secret]}</code> of{' '}
        <a href={linkTo(shell, clientPath(clientId))}>{clientId}</a>: verify the signature before you trust
        it.
      </p>
      <BodyText id="claims" text={claims} whole={jsonOf({ delivery })} />
    </>
  )
}

function Summary({ shell, delivery, client, settings, order }: Around) {
  const paused = pauseWords(client)
  const next = nextTryWords({ ...delivery, paused, settings })
  return (
    <section class="card summary" aria-label="Summary">
      <p class="gist">
        <Status of={delivery.status} />{' '}
        {delivery.status === 'pending' && delivery.dueAt !== null ? (
          <>
            {delivery.attempts.length === 0 ? 'Due at ' : 'Next try at '}
            <Moment at={delivery.dueAt} />.{' '}
          </>
        ) : null}
        {next} {delivery.attempts.at(-1)?.outcome === 'unknown' ? <a href={shell.here}>Refresh</a> : null}
      </p>
      {planSentences(delivery.plan).map((sentence) => (
        <p>{sentence}</p>
      ))}
      <Facts rows={factsOf({ shell, delivery, client, order })} />
    </section>
  )
}

function factsOf({
  shell,
  delivery,
  client,
  order,
}: Omit<Around, 'settings' | 'signing'>): readonly (readonly [string, Child])[] {
  const { id, webhookId, requestId, orderId, orderType, eventType, orderStatus, createdAt, clientId, batch } =
    delivery
  const link = (path: string, words: string) => <a href={linkTo(shell, path)}>{words}</a>
  const scenario = order?.scenario.id
  return [
    ['Event', orderStatus === '' ? '–' : <Status of={orderStatus} />],
    ['Event type', [orderType, eventType].filter(Boolean).join(' · ') || '–'],
    ['requestId', requestId || '–'],
    ['Order', order === null ? orderId || '–' : link(orderPath(orderId), orderId)],
    ['Scenario', scenario === undefined ? '–' : link(scenarioPath(scenario), scenario)],
    ['Client', link(clientPath(clientId), clientId)],
    ['Webhook URL', delivery.url ?? client.webhookUrl ?? 'none'],
    ['Made', <Moment at={createdAt} />],
    ...(batch === undefined ? [] : [['Sent together', <Together {...{ shell, id, batch }} />] as const]),
    ['Delivery', <code>{id}</code>],
    ['webhook-id', <code>{webhookId}</code>],
  ]
}

/** The batch of a delivery: a link to its first event. */
function Together({ shell, id, batch }: { shell: Shell; id: string; batch: NonNullable<Delivery['batch']> }) {
  const first = <a href={linkTo(shell, `/ui/deliveries/${encodeURIComponent(batch.id)}`)}>{batch.id}</a>
  return (
    <>
      put together at <Moment at={batch.at} />,{' '}
      {batch.id === id ? 'as its first event' : <>with {first} as its first event</>}
    </>
  )
}

function Buttons({ shell, delivery: { id, status, clientId, requestId }, client }: Around) {
  const path = `/deliveries/${encodeURIComponent(id)}`
  return (
    <div class="deeds">
      {client.webhookUrl === null || status === 'held' ? null : (
        <Act
          shell={shell}
          id="resend"
          action={{ method: 'POST', path: `${path}/resend` }}
          label="Send it again"
          look="primary"
        />
      )}
      {status === 'pending' ? (
        <Act
          shell={shell}
          id="hold"
          action={{
            ...{ method: 'POST', path: '/deliveries/hold' },
            ...{ query: { clientId }, body: { where: { id } } },
          }}
          label="Hold it"
        />
      ) : null}
      <p>
        <a href={linkTo(shell, '/ui/deliveries/send', { copy: id })}>Send a changed copy</a>
        {' · '}
        <a href={linkTo(shell, '/ui/faults', { plan: 'lost', requestId, clientId })}>
          Plan a fault for its coming attempts
        </a>
      </p>
    </div>
  )
}

/** The content of the token in a `jwt` body, as JSON text; null for other bodies. */
function tokenClaims(body: string): string | null {
  const claims = /^\{"[^"]+":"[\w-]+\.([\w-]+)\.[\w-]*"\}$/.exec(body)?.[1]
  return claims === undefined ? null : Buffer.from(claims, 'base64url').toString()
}

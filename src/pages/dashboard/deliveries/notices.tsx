import type { z } from 'zod'
import type { client as clientShape } from '../../../control/shapes/client.ts'
import type { Where } from '../../../domain/text/where.ts'
import { Act } from '../../framework/form.tsx'
import { linkTo, type Shell } from '../../framework/view.ts'
import { UrlForm } from './webhook-url.tsx'

type Client = z.output<typeof clientShape>

/** The obstacles to webhooks of these clients, each with its remedy. */
export function DeliveryNotices({ shell, clients }: { shell: Shell; clients: readonly Client[] }) {
  return (
    <>
      {clients.flatMap((client) => [
        ...(client.holds ?? []).map((where) => <HoldNotice shell={shell} client={client} where={where} />),
        ...(client.webhookPaused ? [<PausedNotice shell={shell} client={client} />] : []),
      ])}
    </>
  )
}

/** The notice that a hold is in force. */
function HoldNotice({ shell, client: { clientId }, where }: { shell: Shell; client: Client; where: Where }) {
  const id = `hold-${encodeURIComponent(`${clientId} ${JSON.stringify(where)}`)}`
  return (
    <section class="notice waiting" id={id}>
      <p>
        <strong>On hold:</strong> {whereWords(where)} of {clientId}.{' '}
        <a href={linkTo(shell, '/ui/deliveries', { clientId, status: 'held' })}>Held webhooks</a>
      </p>
      <Act
        shell={shell}
        id={`${id}-release`}
        action={{ method: 'POST', path: '/deliveries/release', query: { clientId }, body: { where } }}
        label="Release"
      />
    </section>
  )
}

/** The notice that the client's webhooks are paused. */
function PausedNotice({ shell, client }: { shell: Shell; client: Client }) {
  const { clientId, webhookUrl, pausedAfter } = client
  const reason = pausedAfter === undefined ? 'answered 410 (gone)' : `failed ${pausedAfter} times in a row`
  return (
    <section class="notice waiting" id={`paused-${encodeURIComponent(clientId)}`}>
      <p>
        <strong>Paused:</strong> the endpoint of {clientId} {reason}, so nothing more is sent to it. Set its
        URL again (it can be the same one) to resume.
      </p>
      <UrlForm shell={shell} clientId={clientId} webhookUrl={webhookUrl} label="Set the URL again" />
    </section>
  )
}

/** Describes the webhooks of a hold. */
function whereWords(where: Where): string {
  const members = Object.entries(where)
  if (members.length === 0) return 'every webhook'
  return `webhooks with ${members.map(([name, wanted]) => `${name} ${String(wanted)}`).join(', ')}`
}

import type { z } from 'zod'
import type { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import { overrideOf } from '../../../domain/attempt-faults.ts'
import { Moment, Short, Status } from '../parts.tsx'
import { deliveryPath } from '../paths.ts'
import { linkTo, type Shell } from '../view.ts'
import { Overridden } from './attempts.tsx'

type Delivery = z.output<typeof deliveryShape>

/** Webhooks as a list. */
export function DeliveryTable({ shell, deliveries }: { shell: Shell; deliveries: readonly Delivery[] }) {
  return (
    <table class="list deliveries">
      <thead>
        <tr>
          <th scope="col">Created</th>
          <th scope="col">requestId</th>
          <th scope="col">Event</th>
          <th scope="col">Status</th>
          <th scope="col">Tries</th>
          <th scope="col">Last outcome</th>
          <th scope="col">URL</th>
          {shell.clientId === undefined ? <th scope="col">Client</th> : null}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row shell={shell} delivery={delivery} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ shell, delivery }: { shell: Shell; delivery: Delivery }) {
  const { id, createdAt, requestId, orderStatus, status, attempts, plan, url, clientId } = delivery
  return (
    <tr id={`delivery-${id}`}>
      <td data-label="Created">
        <Moment at={createdAt} />
      </td>
      <th scope="row" data-label="requestId">
        <a class="id" href={linkTo(shell, deliveryPath(id))} title={requestId || id}>
          {requestId || id}
        </a>
      </th>
      <td data-label="Event">
        <Short text={orderStatus} />
      </td>
      <td data-label="Status">
        <Status of={status} />
      </td>
      <td data-label="Tries" class="number">
        {attempts.length}
      </td>
      <td data-label="Last outcome">
        <Outcome plan={plan} attempt={attempts.at(-1)} />
      </td>
      <td data-label="URL">
        <Short text={url ?? ''} />
      </td>
      {shell.clientId === undefined ? (
        <td data-label="Client">
          <Short text={clientId} />
        </td>
      ) : null}
    </tr>
  )
}

function Outcome({
  plan,
  attempt,
}: Pick<Delivery, 'plan'> & { attempt: Delivery['attempts'][number] | undefined }) {
  if (attempt === undefined) return <span class="faint">none</span>
  const override = overrideOf(plan, attempt)
  if (override !== null) return <Overridden words={override} />
  const { outcome, status, ms } = attempt
  return (
    <span class="number nowrap">
      {outcome}
      {status === null ? null : ` ${status}`}
      {ms === null ? null : <span class="faint"> in {ms} ms</span>}
    </span>
  )
}

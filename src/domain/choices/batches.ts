import { batchForm } from '../webhook/batch-form.ts'
import { type Choice, setting } from './choice.ts'

/** The assumption about several events in one webhook. */
export const batchChoices = [
  {
    n: 'N82',
    open: 'Whether one webhook reports several events.',
    choice:
      "Never. With `webhook.batch`, a client's events wait for each other: a webhook goes out when it has `max` events, or " +
      '`within` after the first of them was due. Its body is a list of the usual bodies, or `template` with the list as ' +
      '`"${events}"`, and with `${count}`, `${webhookId}`, `${deliveryId}` and `${sentTime}`. It has the id and the headers of ' +
      'its first event. A webhook that fails is sent again whole, with the same id and the same events; later events go out in others meanwhile. A ' +
      'fault, a hold and a resend of one event apply to all of its webhook. Events whose scenarios set how webhooks are sent ' +
      'go with their like only, and a body that is no JSON goes alone. Within a webhook, and from one to the next, the events ' +
      'of an order stay in order (N46).',
    reason: 'The API specification shows one event; services with many events send them together.',
    settings: {
      'webhook.batch': setting(batchForm.nullable(), null, {
        allowed:
          'nothing, or `max` (1 to 100) and `within` (a duration up to `1h`), and optionally `template`, such as ' +
          '`{ max: 20, within: 2s, template: { events: "${events}" } }`',
        scope: 'client',
      }),
    },
  },
] as const satisfies readonly Choice[]

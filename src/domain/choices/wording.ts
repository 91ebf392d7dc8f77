import * as z from 'zod'
import {
  likelyTypo,
  orderStatuses,
  paymentStatuses,
  printedOrderStatuses,
  printedRefundStatuses,
  refundStatuses,
} from '../order/statuses.ts'
import { ticked } from '../text/issue-words.ts'
import { headerTemplates, payloadTemplate } from '../webhook/payload-template.ts'
import { type Choice, setting } from './choice.ts'

const status = z
  .string()
  .min(1)
  .max(64)
  .superRefine((name, context) => {
    const slip = likelyTypo(name)
    if (slip !== undefined) context.addIssue(slip)
  })

/** Schema of other words for statuses. A reader can tell all statuses apart.
 *  @param known the statuses that appear beside those with other words
 *  @param printed the statuses that the API specification prints, and where */
function statusWords(
  known: readonly string[],
  printed: { readonly statuses: readonly string[]; readonly line: string } = { statuses: [], line: '' },
) {
  return z.record(status, z.string().min(1).max(64)).superRefine((words, context) => {
    const report = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    for (const [name, word] of Object.entries(words)) {
      if (printed.statuses.includes(name))
        report(name, `cannot have another word: the API specification prints it (${printed.line})`)
      const same = Object.keys(words).find((other) => other !== name && words[other] === word)
      if (same !== undefined)
        report(name, `has the word ${ticked(word)} of ${same}; a reader could not tell them apart`)
      else if (word !== name && known.includes(word))
        report(
          name,
          `has the word ${ticked(word)}, which is another status; a reader could not tell them apart`,
        )
    }
  })
}

/** The status of a refund that has failed. */
const failedRefund = status.refine(
  (name) => ![...printedRefundStatuses, ...orderStatuses].some((known) => known === name),
  'is another status; a reader could not tell them apart',
)

/** The status of an order whose amount is refunded as a whole. */
const refundedOrder = status.refine(
  (name) => !orderStatuses.some((known) => known === name),
  'is another status of orders; a reader could not tell them apart',
)

const eventWords = z.record(status, z.string().min(1).max(200))

const states = 'section "States and transitions": "Values that appear'

/** Assumptions about the words of webhooks and lookups, and about the values beside them. */
export const wordingChoices = [
  {
    n: 'N75',
    open: 'Whether webhooks carry headers of their own.',
    choice:
      'None, besides those of the signature (N38). A header can name the same values as a template: `${deliveryId}`, ' +
      '`${attempt}`, `${eventTime:seconds}`. A header without a value is left out.',
    reason: 'The API specification shows no headers, and many services add some.',
    settings: {
      'webhook.headers': setting(
        headerTemplates,
        {},
        {
          allowed:
            'an object of header names and texts, which may have placeholders as in `webhook.template`',
        },
      ),
    },
  },
  {
    n: 'N76',
    open: 'Which other words the service has for statuses and events.',
    choice:
      'None. With a setting, webhooks and lookups write other words, for all scenarios: `words.webhook` for the statuses ' +
      'in webhooks, `words.events` for the event type, by the status that it reports (`refund` and `other` stand for all ' +
      'remaining events of refunds and orders), `words.orders`, `words.payments` and `words.refunds` for the statuses in ' +
      'lookups. The words that the API specification prints for lookups cannot change. Scenarios, `webhook.on`, the ' +
      'control API and the dashboard keep their words. A simulated webhook has the words of its caller.',
    reason: 'The API specification says that its lists are not complete, and shows no webhook.',
    settings: {
      'words.webhook': setting(
        statusWords([...orderStatuses, ...refundStatuses]),
        {},
        {
          allowed: 'an object of statuses and their words, such as `{ COMPLETED: paid }`',
        },
      ),
      'words.events': setting(
        eventWords,
        {},
        {
          allowed:
            'an object of statuses, `refund` and `other`, with the event type of each, such as `{ COMPLETED: payment.succeeded }`',
        },
      ),
      'words.orders': setting(
        statusWords(orderStatuses, {
          statuses: printedOrderStatuses,
          line: `${states}: order status ${printedOrderStatuses.map(ticked).join(', ')}"`,
        }),
        {},
        {
          allowed: 'an object of statuses other than the three printed ones, and their words',
        },
      ),
      'words.payments': setting(
        statusWords(paymentStatuses, {
          statuses: ['COMPLETED'],
          line: `${states}: ... payment status \`COMPLETED\`"`,
        }),
        {},
        { allowed: 'an object of statuses other than `COMPLETED`, and their words' },
      ),
      'words.refunds': setting(
        statusWords(refundStatuses, {
          statuses: printedRefundStatuses,
          line: `${states}: ... refund status \`REFUND_INITIATED\`"`,
        }),
        {},
        { allowed: 'an object of statuses other than `REFUND_INITIATED`, and their words' },
      ),
    },
  },
  {
    n: 'N77',
    open: 'The body of a webhook about a refund.',
    choice:
      'The body of all webhooks; `orderStatus` is the status of the refund. A template can name `${refundId}`, ' +
      '`${refundAmount}`, `${refundStatus}` and `${statusOfOrder}`, the status of the order beside it. With ' +
      '`webhook.refundTemplate` refunds have a body of their own. It takes effect with `webhook.format: template`.',
    reason: 'One handler can read all events; services that send refunds often use another object for them.',
    settings: {
      'webhook.refundTemplate': setting(payloadTemplate.nullable(), null, {
        allowed: 'nothing, or JSON as in `webhook.template`',
      }),
    },
    also: ['webhook.refunds'],
  },
  {
    n: 'N85',
    open: 'The status of a refund that has failed, and of an order that is refunded as a whole.',
    choice:
      'The refund keeps its status, and the failure stands beside the list (N62); the order stays `COMPLETED`. With ' +
      '`refunds.failedStatus` the refund gets that status in the lookup, and `webhook.refunds: event` reports it, with its ' +
      'error code. With `refunds.orderStatus`, `${statusOfOrder}` in webhooks about refunds is that word once the refunds that have not ' +
      'failed make up the whole amount; the lookups do not change.',
    reason: 'The API specification shows one status of refunds, and no other status of a refunded order.',
    settings: {
      'refunds.failedStatus': setting(failedRefund.nullable(), null, {
        allowed: 'nothing, or a status such as `REFUND_FAILED`',
      }),
      'refunds.orderStatus': setting(refundedOrder.nullable(), null, {
        allowed: 'nothing, or a status such as `REFUNDED`',
      }),
    },
  },
] as const satisfies readonly Choice[]

import { orderStatuses } from '../../../domain/statuses.ts'
import type { Field } from '../form.tsx'
import type { Asked } from '../view.ts'

/** What an event says.
 *  @param query may fill them in */
export const eventFields = ({ requestId, orderStatus }: Asked['query']): readonly Field[] => [
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

/** A body of one's own.
 *  @param body to begin with */
export const bodyFields = (body: string | undefined): readonly Field[] => [
  {
    ...{ type: 'text', name: 'body', label: 'Body', rows: 8, value: body, required: true },
    placeholder: '{"requestId":"r1","orderStatus":"COMPLETED"}',
  },
]

/** What can be wrong with a webhook on purpose, and what each is for. */
export const misbehaviour: readonly Field[] = [
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

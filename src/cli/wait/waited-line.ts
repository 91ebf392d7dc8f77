import * as z from 'zod'
import { oneLine } from '../../domain/one-line.ts'
import type { WaitOptions } from './options.ts'

const text = z.string().nullish()
/** What is shown of the things that can be waited for. */
const shown = z.object({
  version: text,
  id: text,
  orderId: text,
  requestId: text,
  orderStatus: text,
  status: z.union([z.string(), z.number()]).nullish(),
  operation: text,
  method: text,
  path: text,
  diagnosis: z.object({ cause: z.string() }).nullish(),
})

/** What has been waited for, in one line. */
export function waitedLine({ kind, url }: Pick<WaitOptions, 'kind' | 'url'>, answer: unknown): string {
  const thing = shown.parse(answer)
  return oneLine(lines[kind ?? 'health'](thing, url))
}

type Shown = z.output<typeof shown>

const lines: Readonly<
  Record<'health' | NonNullable<WaitOptions['kind']>, (thing: Shown, url: string) => string>
> = {
  health: ({ version }, url) => `${url} is healthy: version ${version}`,
  order: ({ requestId, orderStatus, orderId }) => `order ${requestId} is ${orderStatus} (${orderId})`,
  delivery: ({ id, requestId, orderStatus, status }) =>
    `delivery ${id} of ${requestId}, ${orderStatus}, is ${status}`,
  request: ({ id, method, path, status, diagnosis }) =>
    `request ${id}, ${method} ${path}, was answered ${status}${diagnosis ? ` (${diagnosis.cause})` : ''}`,
}

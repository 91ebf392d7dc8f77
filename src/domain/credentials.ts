import * as z from 'zod'

/** What stands in headers, and in paths of the control API: clientIds and tokens. */
export const headerText = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .refine((text) => text !== '.' && text !== '..', 'must not be `.` or `..`, which cannot be part of a path')

/** A webhook secret as Standard Webhooks writes it (N38). */
export const webhookSecret = z
  .string()
  .regex(
    /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/,
    'must be `whsec_` followed by base64, the format of Standard Webhooks',
  )

import { jsonTemplate, type Placeholders } from '../text/template.ts'

/** The values that a webhook template can name. */
export const webhookPlaceholders = {
  values: {
    requestId: 'text',
    clientId: 'text',
    orderId: 'text',
    orderStatus: 'text',
    orderType: 'text',
    eventType: 'text',
    errorCode: 'text',
    errorMessage: 'text',
    webhookId: 'text',
    eventTime: 'time',
    eventTimestamp: 'number',
  },
} as const satisfies Placeholders

/** Schema of a user's webhook body: JSON, or its text, with `${placeholders}` in its texts and names. */
export const payloadTemplate = jsonTemplate(webhookPlaceholders)

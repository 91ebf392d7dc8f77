import type { Chance } from '../support/fuzz/chance.ts'
import { half, type Written } from './draw.ts'

/** Draws the settings for webhooks: content, signature, delivery. */
export function hiddenWebhooks(chance: Chance): Written {
  const format = chance.pick(['flat', 'flat', 'envelope', 'jwt', 'template', 'template', 'template'] as const)
  const refunds = half(chance, ['event'])
  const hasWords = chance.yes(0.5)
  return {
    'webhook.format': format,
    ...(format === 'template' && templates(chance, { hasRefunds: refunds !== undefined, hasWords })),
    ...(format === 'jwt' && jwt(chance)),
    'webhook.refunds': refunds,
    ...words(chance, { hasRefunds: refunds !== undefined, hasWords }),
    ...signature(chance),
    'webhook.headers': half(chance, [
      { 'X-Event-Id': '${webhookId}', 'X-Attempt': '${attempt}' },
      { 'X-Provider-Version': '2026-01', 'X-Event-Time': '${eventTime:seconds}' },
      { 'X-Order': '${orderId}' },
    ]),
    'webhook.on': chance.yes(0.3) ? ['COMPLETED', 'FAILED'] : undefined,
    'webhook.legs': chance.yes(0.3) ? 'both' : undefined,
    ...retries(chance),
    'webhook.accept': half(chance, [[200, 204], 200, ['2xx', 409]]),
    'webhook.timeout': half(chance, ['1s', '2s', '3s']),
    'webhook.gone': half(chance, ['retry', 'give-up']),
    'webhook.order': chance.yes(0.2) ? 'strict' : undefined,
    'webhook.disableAfter': half(chance, [200, 500]),
    'webhook.rotation.overlap': half(chance, ['1h', '7d']),
    'webhook.signTime': half(chance, ['virtual']),
    'webhook.batch': chance.yes(0.2)
      ? chance.pick([
          { max: 3, within: '5s' },
          { max: 4, within: '2s', template: { events: '${events}', count: '${count}' } },
        ])
      : undefined,
  }
}

interface About {
  readonly hasRefunds: boolean
  readonly hasWords: boolean
}

function templates(chance: Chance, { hasRefunds, hasWords }: About): Written {
  const type = hasWords ? { type: '${eventType}' } : {}
  const time = chance.pick(['${eventTime:seconds}', '${eventTime:iso}', '${eventTime:offset}'] as const)
  const nested = chance.yes(0.5)
  const id = { id: '${webhookId}', ...type, created: time }
  return {
    'webhook.template': nested
      ? {
          ...id,
          data: {
            order: {
              number: '${orderId}',
              reference: '${requestId}',
              merchant: '${clientId}',
              state: '${orderStatus}',
              amount: '${fiatAmount}',
              currency: '${currencyId}',
            },
            failure: { code: '${errorCode}', text: '${errorMessage}' },
          },
        }
      : {
          event_id: '${webhookId}',
          ...type,
          order_id: '${orderId}',
          request_id: '${requestId}',
          status: '${orderStatus}',
          amount_minor: '${fiatAmount:minor}',
          seq: '${sequence}',
          at: time,
          reason: '${errorCode}',
        },
    ...(hasRefunds && {
      'webhook.refundTemplate': half(chance, [
        {
          ...id,
          refund: { number: '${refundId}', state: '${refundStatus}', amount: '${refundAmount}' },
          order: { number: '${orderId}', reference: '${requestId}', state: '${statusOfOrder}' },
        },
      ]),
      'refunds.orderStatus': half(chance, ['REFUNDED']),
    }),
  }
}

function jwt(chance: Chance): Written {
  if (chance.yes(0.5)) return { 'webhook.jwtAlgorithm': half(chance, ['HS384', 'HS512']) }
  return {
    'webhook.jwt': chance.pick([
      { member: 'token', iat: true, exp: '5m', jti: true },
      { member: 'signedPayload', kid: 'key-7', algorithm: 'HS512' },
      { header: 'X-Event-Token', iat: true, secret: 'webhook-secret' },
    ] as const),
  }
}

function words(chance: Chance, { hasRefunds, hasWords }: About): Written {
  if (!hasWords) return {}
  return {
    'words.webhook': half(chance, [
      {
        CREATED: 'open',
        COMPLETED: 'paid',
        FAILED: 'rejected',
        ...(hasRefunds && { REFUND_INITIATED: 'returned' }),
      },
    ]),
    'words.events': {
      CREATED: 'order.created',
      COMPLETED: 'order.paid',
      FAILED: 'order.failed',
      ...(hasRefunds && { REFUND_INITIATED: 'refund.created' }),
    },
  }
}

function signature(chance: Chance): Written {
  if (chance.yes(0.5)) return { 'webhook.auth': half(chance, ['hmac-body', 'none']) }
  return {
    'webhook.signature': chance.pick([
      {
        header: 'X-Norvelle-Signature',
        format: 't=${timestamp},v1=${signature}',
        signed: '${timestamp}.${body}',
      },
      { header: 'X-Tillbrook-Signature', format: 'sha256=${signature}', signed: '${body}' },
      {
        header: 'Kestrel-Signature',
        signed: '${body}',
        encoding: 'base64',
        algorithm: 'sha512',
        secret: 'api-secret',
      },
      {
        header: 'X-Signature',
        signed: '${id}|${timestamp}|${body}',
        secretAs: 'base64',
        timestamp: 'milliseconds',
        headers: { 'X-Message-Id': '${id}', 'X-Message-Time': '${timestamp}' },
      },
    ] as const),
  }
}

function retries(chance: Chance): Written {
  const after = half(chance, ['ignore'])
  if (chance.yes(0.5))
    return {
      'webhook.retry.after': after,
      'webhook.retry.schedule': chance.pick([
        ['1m', '5m', '30m', '2h', '6h'],
        ['10s', '1m', '10m', '1h', '3h', '3h'],
        ['5s', '5m', '30m'],
        ['30s', '2m', '10m', '20m', '40m', '1h'],
      ] as const),
    }
  return {
    'webhook.retry.after': after,
    'webhook.retry.max': half(chance, [3, 5, 8]),
    'webhook.retry.base': half(chance, ['2s', '10s', '30s', '1m']),
    'webhook.retry.cap': half(chance, ['2m', '15m', '1h']),
  }
}

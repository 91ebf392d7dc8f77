import type { Secrets } from '../domain/webhook/signature-problem.ts'

/** The secrets of a client, as the control API shows it, that are valid at present. */
export function validSecrets({
  webhookSecret,
  apiSecret,
  previousWebhookSecret,
  clock,
}: ShownClient): Secrets {
  const { secret, validUntil = 0 } = previousWebhookSecret ?? {}
  return { webhookSecret, apiSecret, previousSecret: clock.now < validUntil ? secret : undefined }
}

/** The fields of a client that decide about its secrets. */
interface ShownClient {
  readonly webhookSecret: string
  readonly apiSecret: string
  readonly previousWebhookSecret?: { readonly secret: string; readonly validUntil: number } | undefined
  readonly clock: { readonly now: number }
}

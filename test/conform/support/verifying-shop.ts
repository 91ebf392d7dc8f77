import { Webhook } from 'standardwebhooks'
import type { ConformConfig } from '../../../src/conform/index.ts'
import { sign } from '../../../src/domain/webhook/signature.ts'
import { ModelShop } from './model-shop.ts'

/** A shop that takes genuine webhooks only, as Standard Webhooks has it. */
export class VerifyingShop extends ModelShop {
  override get config(): ConformConfig {
    return { ...super.config, webhookSignature: 'standard' }
  }

  override async webhook(request: Request): Promise<Response> {
    const bytes = Buffer.from(await request.clone().arrayBuffer())
    if (this.isGenuine(bytes, Object.fromEntries(request.headers))) return super.webhook(request)
    return new Response('wrong signature', { status: 401 })
  }

  isGenuine(bytes: Buffer, headers: Record<string, string>): boolean {
    try {
      new Webhook(this.client.webhookSecret).verify(bytes, headers, { jsonParse: false })
      return true
    } catch {
      return false
    }
  }

  /** The signature of a body that was sent at a time, whatever time that is. */
  rightSignature(body: string, headers: Record<string, string>): string {
    const signedAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
    return new Webhook(this.client.webhookSecret).sign(headers['webhook-id'] ?? '', signedAt, body)
  }
}

/** One whose webhooks are signed with `hmac-body`. */
export class HmacShop extends VerifyingShop {
  override get config(): ConformConfig {
    return { ...super.config, webhookSignature: 'hmac-body' }
  }

  override isGenuine(bytes: Buffer, { signature }: Record<string, string>): boolean {
    return signature === sign(bytes.toString('utf8'), this.client.apiSecret)
  }
}

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConformConfig } from '../../../src/conform/index.ts'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

const recipe = {
  header: 'x-pay-signature',
  format: 't=${timestamp},v1=${signature}',
  signed: '${timestamp}.${body}',
}

/** A shop that verifies by a provider's own recipe, as its settings have it. */
class RecipeShop extends ModelShop {
  override get config(): ConformConfig {
    return { ...super.config, webhookSignature: 'settings' }
  }

  override async webhook(request: Request): Promise<Response> {
    const body = await request.clone().text()
    const { 'x-pay-signature': header = '' } = Object.fromEntries(request.headers)
    return this.isGenuine(body, header) ? super.webhook(request) : new Response('no', { status: 401 })
  }

  isGenuine(body: string, header: string): boolean {
    const time = /t=(\d+)/.exec(header)?.[1] ?? '0'
    const right = createHmac('sha256', this.client.webhookSecret).update(`${time}.${body}`).digest('hex')
    return this.isRecent(Number(time)) && header.split(',').includes(`v1=${right}`)
  }

  isRecent(seconds: number): boolean {
    return Math.abs(Date.now() / 1_000 - seconds) < 300
  }
}

/** One that takes every webhook for genuine. */
class Credulous extends RecipeShop {
  override isGenuine() {
    return true
  }
}

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

const cases = ['K04', 'K05', 'K06', 'K07', 'K46'] as const

async function runWith(shop: typeof RecipeShop, settings: Record<string, unknown>) {
  const opened = await world.open(shop)
  await opened.client.changeSettings(settings)
  return world.run(opened, cases)
}

describe("an application that verifies by the recipe of the client's settings", () => {
  test('passes all cases about signatures', async () => {
    const report = await runWith(RecipeShop, { 'webhook.signature': recipe })
    expect(cases.map((id) => [id, resultOf(report, id).verdict])).toEqual(cases.map((id) => [id, 'PASS']))
  })

  test('is found out if it checks no time, or takes anything', async () => {
    class Timeless extends RecipeShop {
      override isRecent() {
        return true
      }
    }
    const timeless = await runWith(Timeless, { 'webhook.signature': recipe })
    expect(resultOf(timeless, 'K06')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'accepted' } })
    const credulous = await runWith(Credulous, { 'webhook.signature': recipe })
    expect(resultOf(credulous, 'K04')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'accepted' } })
  })

  test('cannot be seen where the settings ask for no signature', async () => {
    const report = await runWith(Credulous, { 'webhook.auth': 'none' })
    expect(resultOf(report, 'K04')).toMatchObject({
      verdict: 'NOT-SEEN',
      note: expect.stringContaining('the settings of the client ask for none'),
    })
  })

  test('sees nothing of times and lists in a recipe without them', async () => {
    class BodyShop extends RecipeShop {
      override isGenuine(body: string, header: string) {
        return header === createHmac('sha256', this.client.apiSecret).update(body).digest('hex')
      }
    }
    const settings = { 'webhook.signature': { header: 'x-pay-signature', secret: 'api-secret' } }
    const report = await runWith(BodyShop, settings)
    expect(resultOf(report, 'K04').verdict).toBe('PASS')
    expect(resultOf(report, 'K06').note).toContain('is signed without a time')
    expect(resultOf(report, 'K46').note).toContain('carries one signature, never several')
  })
})

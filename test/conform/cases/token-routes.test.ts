import { afterAll, beforeAll, expect, test } from 'vitest'
import { CarefulShop } from '../support/careful-shop.ts'
import { resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll, {
    auth: {
      oneToken: true,
      tokenRoute: {
        path: '/oauth/token',
        accepts: ['basic'],
        answer: { data: { token: '${accessToken}', seconds: '${expiresIn}' } },
        error: { error: '${code}' },
      },
    },
  })
})

/** Gets its tokens from the operator's route, in the operator's words. */
class OAuthShop extends CarefulShop {
  override async freshToken(): Promise<string> {
    const { clientId, apiSecret } = this.client
    const credentials = Buffer.from(`${clientId}:${apiSecret}`).toString('base64')
    const { text } = await this.attempt('/oauth/token', '', {
      body: {},
      headers: { authorization: `Basic ${credentials}` },
    })
    return JSON.parse(text).data.token
  }
}

test.concurrent.each(['K30', 'K31'] as const)('%s passes an application of such a provider', async (id) => {
  const report = await world.run(await world.open(OAuthShop), [id])
  expect(resultOf(report, id)).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('K30 fails an application of such a provider that gets a token only at its start', async () => {
  class OnlyAtStart extends OAuthShop {
    override refusesToken() {
      return false
    }
  }
  const report = await world.run(await world.open(OnlyAtStart), ['K30'])
  expect(resultOf(report, 'K30')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

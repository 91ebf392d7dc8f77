import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Tries to create an order until it is clear that it is there, with the same requestId. */
class Persistent extends ModelShop {
  override async create(requestId: string, text: string) {
    for (let attempt = 1; ; attempt++) {
      const reply = await super.create(requestId, text).catch(() => null)
      if (reply !== null && this.isClear(reply)) return reply
      if (attempt === 3) throw new Error('The payment could not be started')
      await this.again()
    }
  }

  isClear({ status, text }: { status: number; text: string }) {
    return status === 200 || text.includes('7001')
  }

  async again(): Promise<void> {}
}

test('passes an application that takes 7001 for "it is there"', async () => {
  const report = await world.run(await world.open(Persistent), ['K18'])
  expect(resultOf(report, 'K18').verdict).toBe('PASS')
})

test('passes one that tells its customer that it failed, and releases what is paid all the same', async () => {
  const report = await world.run(await world.open(ModelShop), ['K18'])
  expect(resultOf(report, 'K18').verdict).toBe('PASS')
})

/** Takes a 401 for a bad token, and shows that to its customer. */
class Misled extends Persistent {
  override isClear({ status }: { status: number }) {
    return status === 200
  }
}

test('fails one that hands the 401 of 7001 on to its customer', async () => {
  const report = await world.run(await world.open(Misled), ['K01', 'K18'])
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K18')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'server-error' } })
})

test('says of one that never retries, puts its customer off and releases what is paid, that it did so', async () => {
  class Curt extends ModelShop {
    override async create(requestId: string, text: string) {
      const reply = await super.create(requestId, text)
      if (reply.status !== 200) throw new Error('Not now: you will hear of your order')
      return reply
    }
  }
  const report = await world.run(await world.open(Curt), ['K18'])
  expect(resultOf(report, 'K18')).toMatchObject({
    verdict: 'PASS',
    note: expect.stringContaining('It showed its customer no order'),
  })
})

test('fails one that never retries, and gets a new token because of 7001', async () => {
  class Relogging extends ModelShop {
    override async create(requestId: string, text: string) {
      const reply = await super.create(requestId, text)
      if (reply.status !== 401) return reply
      const { clientId, apiSecret } = this.client
      await this.call('/_emulator/access-token', { clientId, apiSecret })
      throw new Error('The access token was wrong')
    }
  }
  const report = await world.run(await world.open(Relogging), ['K18'])
  expect(resultOf(report, 'K18')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'server-error' } })
})

test('fails one that gets a new token because of 7001 and creates again', async () => {
  class LoggingIn extends Misled {
    override async again() {
      await this.call('/_emulator/access-token', {
        clientId: this.client.clientId,
        apiSecret: this.client.apiSecret,
      })
    }
  }
  const report = await world.run(await world.open(LoggingIn), ['K18'])
  expect(resultOf(report, 'K18')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'endless' } })
})

test('fails one that creates another order', async () => {
  class Renaming extends ModelShop {
    override async create(requestId: string, text: string) {
      try {
        const reply = await super.create(requestId, text)
        return reply.status === 500 ? await super.create(`${requestId}-again`, text) : reply
      } catch {
        return super.create(`${requestId}-again`, text)
      }
    }
  }
  const report = await world.run(await world.open(Renaming), ['K18'])
  expect(resultOf(report, 'K18')).toMatchObject({
    verdict: 'FAIL',
    finding: {
      defect: 'second-order',
      did: expect.stringMatching(
        /^No answer, or a 500, is no failure: .* It created 2 orders for one start call/,
      ),
    },
  })
})

test('fails one that creates another order only where the answer of the first was a 500', async () => {
  class RenamingAt500 extends ModelShop {
    override async buy(given: { text: string }) {
      const requestId = await super.buy(given)
      if (this.failed !== requestId) return requestId
      this.purchases.delete(requestId)
      return super.buy(given)
    }
    failed = ''
    override async create(requestId: string, text: string) {
      const reply = await super.create(requestId, text)
      if (reply.status === 500) this.failed = requestId
      return reply
    }
  }
  const report = await world.run(await world.open(RenamingAt500), ['K18'])
  expect(resultOf(report, 'K18')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'second-order' } })
})

test('fails one that forgets the order', async () => {
  class Forgetful extends ModelShop {
    override async create(requestId: string, text: string) {
      const reply = await super.create(requestId, text).catch(() => ({ status: 500, text: '' }))
      if (reply.status !== 200) this.purchases.delete(requestId)
      return reply
    }
  }
  const report = await world.run(await world.open(Forgetful), ['K01', 'K17', 'K18'])
  expect(resultOf(report, 'K17').verdict).toBe('PASS')
  expect(resultOf(report, 'K18')).toMatchObject({
    verdict: 'FAIL',
    finding: {
      defect: 'lost',
      did: expect.stringMatching(
        /^No answer, or a 500, is no failure: the create call has created the order, and its answer breaks off\. It /,
      ),
      should: expect.stringMatching(
        /^No answer .* is no failure: repeat the same call, or look the order up\./,
      ),
    },
  })
})

test('is not seen where the application creates no orders', async () => {
  const report = await world.run(await world.open(ModelShop), ['K18'], { start: undefined })
  expect(resultOf(report, 'K18').verdict).toBe('NOT-SEEN')
})

test('fails a second order without a probe, too', async () => {
  class Doubling extends ModelShop {
    override async create(requestId: string, text: string) {
      const reply = await super.create(requestId, text).catch(() => ({ status: 500, text: '' }))
      return reply.status === 200 ? reply : super.create(`${requestId}-again`, text)
    }
  }
  const report = await world.run(await world.open(Doubling), ['K18'], { probe: undefined })
  expect(resultOf(report, 'K18')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'second-order' } })
})

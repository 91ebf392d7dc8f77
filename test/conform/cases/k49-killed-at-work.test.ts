import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CaseId } from '../../../src/conform/index.ts'
import { aProcess } from '../support/a-process.ts'
import { type FiatRecord, ModelShop, resultOf, shops } from '../support/model-shop.ts'
import { Idle } from '../support/wrong-shops.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Answers webhooks first and works afterwards. What it has still to do when it is killed is lost. */
class AnswersFirst extends ModelShop {
  readonly #working = new Set<string>()
  life = 0

  override async webhook(request: Request) {
    const { requestId } = JSON.parse(await request.text())
    this.#working.add(requestId)
    void this.work(requestId).catch(() => undefined)
    return new Response()
  }

  async work(requestId: string) {
    const life = this.life
    const records = await this.lookUp(requestId)
    if (life !== this.life) return
    this.#working.delete(requestId)
    for (const record of records ?? []) this.act(requestId, record)
  }

  /** @returns what it was still to do */
  kill(): string[] {
    this.life += 1
    return [...this.#working]
  }

  async start(_left: readonly string[]) {}
}

/** Has written down what it was to do. */
class Durable extends AnswersFirst {
  override async start(left: readonly string[]) {
    for (const requestId of left) await this.settle(requestId)
  }
}

async function restarted(shop: typeof AnswersFirst, only: readonly CaseId[] = ['K49']) {
  const opened = await world.open(shop)
  const process = aProcess({ restart: () => opened.start(opened.kill()) })
  return resultOf(await world.run(opened, only, {}, { process }), 'K49')
}

test.concurrent('passes an application that goes on where it was killed', async () => {
  expect(await restarted(Durable)).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('passes one that answers once all is done', async () => {
  const report = await world.run(await world.open(ModelShop), ['K49'], {}, { process: aProcess() })
  expect(resultOf(report, 'K49')).toMatchObject({ verdict: 'PASS', note: null })
})

test.concurrent('warns of one that answers first and forgets the rest', async () => {
  expect(await restarted(AnswersFirst, ['K01', 'K49'])).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect: 'lost',
      did: expect.stringMatching(
        /^It answered .* with 2xx, was killed and started again\. Afterwards: It said/,
      ),
    },
  })
})

test.concurrent('warns of one that notes a payment first, and releases from memory', async () => {
  class NotesFirst extends ModelShop {
    life = 0
    override act(requestId: string, record: FiatRecord) {
      const purchase = this.purchases.get(requestId)
      if (record.orderStatus !== 'COMPLETED' || purchase?.state !== 'waiting') return
      purchase.state = 'paid'
      const { life } = this
      setTimeout(() => {
        if (life === this.life) super.act(requestId, record)
      }, 120)
    }
  }
  const opened = await world.open(NotesFirst)
  const process = aProcess({
    restart: async () => {
      opened.life += 1
    },
  })
  const report = await world.run(opened, ['K01', 'K49'], {}, { process })
  expect(resultOf(report, 'K01').verdict).toBe('PASS')
  expect(resultOf(report, 'K49')).toMatchObject({ verdict: 'WARN', finding: { defect: 'lost' } })
})

test.concurrent('warns of one that does again what it had done', async () => {
  class StartsOver extends Durable {
    override async start(left: readonly string[]) {
      await super.start(left)
      for (const purchase of this.purchases.values()) purchase.parcels *= 2
    }
  }
  expect(await restarted(StartsOver)).toMatchObject({ verdict: 'WARN', finding: { defect: 'doubled' } })
})

test.concurrent('warns of one that does not start again', async () => {
  const process = aProcess({ restart: () => Promise.reject(new Error('the database is locked')) })
  const report = await world.run(await world.open(ModelShop), ['K49'], {}, { process })
  expect(resultOf(report, 'K49')).toMatchObject({
    verdict: 'WARN',
    finding: { defect: 'crashed', did: expect.stringContaining('the database is locked') },
  })
})

test.concurrent('warns of one that stores an order once its create call is answered', async () => {
  class StoresLate extends Durable {
    override async create(requestId: string, text: string) {
      const { life } = this
      const purchase = this.purchases.get(requestId)
      this.purchases.delete(requestId)
      const reply = await super.create(requestId, text)
      if (purchase !== undefined && life === this.life) this.purchases.set(requestId, purchase)
      return reply
    }
  }
  expect(await restarted(StoresLate)).toMatchObject({
    verdict: 'WARN',
    finding: {
      defect: 'lost',
      did: expect.stringMatching(/^It was killed while its create call was under way/),
    },
  })
})

test.concurrent('says nothing new of one that never releases anything', async () => {
  const report = await world.run(await world.open(Idle), ['K01', 'K49'], {}, { process: aProcess() })
  expect(resultOf(report, 'K49').verdict).toBe('NOT-SEEN')
})

test.concurrent('is not seen where conform has not started the application', async () => {
  const report = await world.run(await world.open(ModelShop), ['K49'])
  expect(resultOf(report, 'K49')).toMatchObject({
    verdict: 'NOT-SEEN',
    note: expect.stringContaining('`payment-order-emulator conform -- npm start`'),
  })
})

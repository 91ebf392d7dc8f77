import { afterAll, beforeAll, expect, test } from 'vitest'
import { ModelShop, resultOf, shops } from '../support/model-shop.ts'

let world: Awaited<ReturnType<typeof shops>>
beforeAll(async () => {
  world = await shops(afterAll)
})

/** Reads what has come of a webhook, and whether the connection has broken. */
async function read(request: Request): Promise<{ text: string; broken: boolean }> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of request.body ?? []) chunks.push(chunk)
    return { text: Buffer.concat(chunks).toString('utf8'), broken: false }
  } catch {
    return { text: Buffer.concat(chunks).toString('utf8'), broken: true }
  }
}

class Reading extends ModelShop {
  readonly done = new Set<string>()
  override async webhook(request: Request) {
    const id = request.headers.get('webhook-id') ?? ''
    const { text, broken } = await read(request)
    await this.work(id, JSON.parse(text).requestId, broken)
    return new Response()
  }

  async work(id: string, requestId: string, _: boolean) {
    if (this.done.has(id)) return
    await this.settle(requestId)
    this.done.add(id)
  }
}

test('passes an application that ignores what has broken off', async () => {
  const report = await world.run(await world.open(ModelShop), ['K12'])
  expect(resultOf(report, 'K12').verdict).toBe('PASS')
})

test('passes one that finishes its work though nobody waits for the answer', async () => {
  const report = await world.run(await world.open(Reading), ['K12'])
  expect(resultOf(report, 'K12').verdict).toBe('PASS')
})

test('fails one that marks a webhook as done and loses the work with the connection', async () => {
  class Marking extends Reading {
    override async work(id: string, requestId: string, broken: boolean) {
      if (this.done.has(id)) return
      this.done.add(id)
      if (!broken) await this.settle(requestId)
    }
  }
  const report = await world.run(await world.open(Marking), ['K01', 'K08', 'K09', 'K10', 'K11', 'K12'])
  expect(report.counts.FAIL).toBe(1)
  expect(resultOf(report, 'K12')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

test('fails one that marks a webhook as done once it has been answered', async () => {
  class Late extends Reading {
    override act(requestId: string, record: { orderId: string; orderStatus: string }) {
      this.purchases.get(requestId)?.shipped.clear()
      super.act(requestId, record)
    }
    override async work(id: string, requestId: string, broken: boolean) {
      if (this.done.has(id)) return
      if (!broken) this.done.add(id)
      await this.settle(requestId)
    }
  }
  const report = await world.run(await world.open(Late), ['K01', 'K08', 'K09', 'K12'])
  expect(report.counts.FAIL).toBe(1)
  expect(resultOf(report, 'K12')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'doubled' } })
})

test('is not seen without a probe', async () => {
  const report = await world.run(await world.open(ModelShop), ['K12'], { probe: undefined })
  expect(resultOf(report, 'K12').verdict).toBe('NOT-SEEN')
})

/** Sends a webhook away while the work of another is locked, and the lock outlives the connection. */
const locking = (status: number) =>
  class extends Reading {
    override async webhook(request: Request) {
      const id = request.headers.get('webhook-id') ?? ''
      const { text, broken } = await read(request)
      if (this.done.has(id)) return new Response('locked', { status })
      this.done.add(id)
      if (broken) throw new Error('gone')
      await this.settle(JSON.parse(text).requestId)
      return new Response()
    }
  }

test('says nothing of one whose lock has not expired yet', async () => {
  const report = await world.run(await world.open(locking(409)), ['K12'])
  expect(resultOf(report, 'K12')).toMatchObject({ verdict: 'NOT-SEEN', note: expect.stringContaining('409') })
})

test('fails one that breaks at its own mark', async () => {
  const report = await world.run(await world.open(locking(500)), ['K12'])
  expect(resultOf(report, 'K12')).toMatchObject({ verdict: 'FAIL', finding: { defect: 'lost' } })
})

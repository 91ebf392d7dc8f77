import { expect, test } from 'vitest'
import type { Answer, JsonObject } from '../support/answer.ts'
import { paths, type TestClient } from '../support/client.ts'
import { startFixture, type TestEmulator } from '../support/emulator.ts'
import { expectInvalid, expectVerificationFailed } from '../support/expect.ts'

/** A create call as it is about to be sent. */
interface Draft {
  method: string
  path: string
  headers: Record<string, string>
  members: JsonObject
  /** Makes of the right body's text the text that is sent. */
  text: (right: string) => string
  signed: string | undefined
}

/** One thing that is wrong with a create call, and what the emulator then answers: the status, the cause that the
 *  journal names, and how the reason begins. */
interface Fault {
  readonly name: string
  readonly spoil: (draft: Draft) => void
  readonly verdict: readonly [status: number, cause: string, reason?: string]
}

/** The checks of N18 in their order. Of two faults the one further up is answered. */
const faults: readonly Fault[] = [
  {
    name: 'unknown path',
    spoil: (draft) => {
      draft.path = '/v1/client/checkout/create-orders'
    },
    verdict: [404, 'path.unknown'],
  },
  {
    name: 'wrong method',
    spoil: (draft) => {
      draft.method = 'PUT'
    },
    verdict: [405, 'method.wrong'],
  },
  {
    name: 'wrong Content-Type',
    spoil: (draft) => {
      draft.headers['content-type'] = 'text/plain'
    },
    verdict: [415, 'body.content-type'],
  },
  {
    name: 'body over 1 MiB',
    spoil: (draft) => {
      const { text } = draft
      draft.text = (right) => text(right) + ' '.repeat(1024 * 1024)
    },
    verdict: [413, 'body.too-large'],
  },
  {
    name: 'unknown token',
    spoil: (draft) => {
      draft.headers['access-token'] = 'wrong'
    },
    verdict: [401, 'token.unknown'],
  },
  {
    name: 'body that is no JSON',
    spoil: (draft) => {
      const { text } = draft
      draft.text = (right) => text(right).replace('{', '')
    },
    verdict: [400, 'body.trailing-text', 'body: '],
  },
  {
    name: 'signed member of a wrong type',
    spoil: (draft) => {
      draft.members = { ...draft.members, fiatAmount: 10 }
    },
    verdict: [400, 'input.type', 'fiatAmount: '],
  },
  {
    name: "another client's clientId",
    spoil: (draft) => {
      draft.members = { ...draft.members, clientId: 'C2' }
    },
    verdict: [401, 'clientId.not-the-tokens'],
  },
  {
    name: 'wrong signature',
    spoil: (draft) => {
      draft.signed = 'something else'
    },
    verdict: [401, 'signature.'],
  },
  {
    name: 'wrong optional field',
    spoil: (draft) => {
      draft.members = { ...draft.members, lang: 'xx' }
    },
    verdict: [400, 'input.invalid', 'lang: '],
  },
  {
    name: 'duplicate requestId',
    spoil: (draft) => {
      draft.members = { ...draft.members, requestId: 'taken' }
    },
    verdict: [401, 'requestId.taken'],
  },
]

const pairs = faults.flatMap((first, place) =>
  faults.slice(place + 1).map((second) => ({ first, second, of: `${first.name}, ${second.name}` })),
)

async function send(spoilt: readonly Fault[], c1: TestClient, emulator: TestEmulator): Promise<Answer> {
  const draft: Draft = {
    method: 'POST',
    path: paths.checkout,
    headers: { 'access-token': 'T1', 'content-type': 'application/json' },
    members: c1.checkout('new'),
    text: (right) => right,
    signed: undefined,
  }
  for (const { spoil } of spoilt) spoil(draft)
  const { fiatAmount, requestId } = draft.members
  const signature = c1.sign(draft.signed ?? `fiatAmount=${fiatAmount}&requestId=${requestId}`)
  return emulator.send(draft.path, {
    method: draft.method,
    headers: { ...draft.headers, signature },
    body: draft.text(JSON.stringify(draft.members)),
  })
}

async function expectVerdict(answer: Answer, [status, cause, reason]: Fault['verdict'], c1: TestClient) {
  const { diagnosis } = await c1.journalOf(answer)
  expect({ status: answer.status, diagnosis }).toMatchObject({
    status,
    diagnosis: {
      cause: expect.stringMatching(new RegExp(`^${cause}`)),
      message: expect.stringContaining(reason ?? ''),
    },
  })
}

test.each(faults)('N18: $name is found', async (fault) => {
  const { c1, emulator } = await startFixture()
  await c1.createCheckout('taken')
  await expectVerdict(await send([fault], c1, emulator), fault.verdict, c1)
})

test.each(pairs)('N18: of two faults the first is answered: $of', async ({ first, second }) => {
  const { c1, emulator } = await startFixture()
  await c1.createCheckout('taken')
  await expectVerdict(await send([first, second], c1, emulator), first.verdict, c1)
})

test.each(['[]', '"x"', 'null', '1', '', '{', '{"a":1}{}', '\ufeff{}', "{'a':1}"])(
  'N18: a body %j is no JSON object',
  async (body) => {
    const { c1 } = await startFixture()
    for (const path of [paths.checkout, paths.subscription, paths.simulate, paths.webhookUrl]) {
      expectInvalid(await c1.post(path, body, { signed: 'x', headers: { 'client-id': 'C1' } }), 'body')
    }
  },
)

test('N18: a body that is not UTF-8, or nested without end, is refused as invalid', async () => {
  const { c1 } = await startFixture()
  const latin1 = Buffer.from('{"requestId":"é"}', 'latin1')
  const deep = `{"metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  for (const body of [latin1, deep]) {
    for (const path of [paths.checkout, paths.simulate]) expectInvalid(await c1.post(path, body), 'body')
  }
})

test('N18: other calls check whose clientId it is before the remaining fields', async () => {
  const { c1 } = await startFixture()
  expectVerificationFailed(await c1.simulate(c1.simulation('r1', { clientId: 'C2', orderStatus: 1 })))
  expectInvalid(await c1.simulate(c1.simulation('r1', { clientId: 2, orderStatus: 1 })), 'clientId')
  expectVerificationFailed(await c1.setWebhookUrl('nonsense', { headers: { 'client-id': 'C2' } }))
  for (const path of [paths.fiat, paths.crypto, paths.refunds]) {
    expectVerificationFailed(await c1.lookUp(path, { clientId: 'C2' }))
  }
})

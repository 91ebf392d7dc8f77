import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { parse } from 'yaml'
import { bodiesIn } from '../../src/learn/webhook/reading.ts'
import { evidenceOf, type Recording, record } from './body-exchanges.ts'

const settingsOf = (n: string): Record<string, unknown> =>
  n.startsWith('p') ? parse(readFileSync(`test/match/providers/${n}.yaml`, 'utf8')) : JSON.parse(n)
export async function play(r: Recording) {
  const ids = []
  for (let i = 0; i < 6; i++) {
    ids.push(
      await r.create(
        {
          currencyId: i % 2 ? 'EUR' : 'USD',
          ...(i % 3 === 0 && { metadata: { cart: `A-${i}` }, billingData: { country: 'DE' } }),
        },
        ['happy', 'fail-9004', 'refund-initiated', 'fail-9005', 'happy', 'refund-partial-twice'][i],
      ),
    )
    await r.advance('40s')
  }
  await r.advance('20m')
  for (const id of ids) await r.lookUp(id)
}
for (const n of (process.env.P ?? 'p1,p2,p3,p4,p5').split(/,(?=p)/))
  test(n, async () => {
    const r = await record(settingsOf(n) as never)
    await play(r)
    const evidence = evidenceOf(await r.all(), r.secrets)
    const b = bodiesIn(evidence)
    const out = (i: typeof b.ofOrders | null) =>
      i && {
        state: i.state,
        template: JSON.stringify(i.template),
        open: i.places
          .filter((p) => p.state !== 'decided')
          .map((p) => [p.key, p.state, JSON.stringify(p.possible), p.example, p.count, p.of]),
      }
    console.log(
      n,
      JSON.stringify(
        {
          n: evidence.webhooks.length,
          e: b.events.length,
          list: b.list,
          form: b.form,
          isToken: b.isToken,
          words: [...b.statuses.words],
          place: b.statuses.place,
          types: [...b.types.words],
          tplace: b.types.place,
          unk: [...b.types.unknown.values(), ...b.statuses.unknown.values()],
          o: out(b.ofOrders),
          r: out(b.ofRefunds),
          ex: evidence.webhooks.slice(0, 2).map((w) => w.attempts[0].body),
        },
        null,
        1,
      ),
    )
  })

import type { Case } from '../case.ts'
import { type Leak, leaksInCalls, leaksInOutput } from '../evidence/leaks.ts'
import { Finding } from '../finding.ts'

export const secrets: Case = {
  id: 'K58',
  level: 'SHOULD',
  wholeClient: true,
  title: 'Secrets in calls and output',
  happens:
    'All calls of the run are searched for the API secret, the webhook secret and access tokens; after `--`, the output of your application too.',
  right: 'Send secrets in the headers that are meant for them, and write them nowhere.',
  why: 'Bodies, URLs and logs are stored and copied. Whoever reads a secret there can create orders and forge webhooks in your name.',
  async run(stage) {
    // Alone, the case needs calls of its own.
    if (stage.app.start !== null) {
      await stage.order()
      await stage.advance('10s')
    }
    const calls = await stage.calls()
    const { learned, client, process } = stage
    const leaks = [
      ...learned.leaks,
      ...leaksInCalls(calls, client),
      ...(process === null ? [] : leaksInOutput(process, await client.requests.list(), client)),
    ]
    if (leaks.length > 0) throw finding(leaks)
  },
}

function finding(leaks: readonly Leak[]): Finding {
  const places = Map.groupBy(leaks, ({ secret, where }) => `${secret} in ${where}`)
  const words = [...places].map(
    ([place, { length }]) => `${place}${length === 1 ? '' : ` (${length} times)`}`,
  )
  return new Finding({ defect: 'leaked', did: `It wrote ${words.join(', ')}.`, deliveryId: null })
}

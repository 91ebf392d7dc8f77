import type { Case } from '../case.ts'
import { Finding } from '../finding.ts'
import { happy } from '../scripts.ts'
import { simplerFailures } from '../simpler-failures.ts'

/** Nobody tells. */
export const noWebhook: Case = {
  id: 'K28',
  level: 'MUST',
  title: 'No webhook at all',
  happens: 'An order is paid and COMPLETED, and none of its webhooks ever comes.',
  right: 'Look open orders up from time to time, and release once when one is COMPLETED.',
  why: 'Webhooks get lost: an endpoint that was down too long, a firewall, a wrong URL. The customer has paid all the same.',
  before: 'K16',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start', 'probe')
    const order = await stage.order({ follows: { ...happy, webhooks: { drop: true } } })
    await stage.advance('10s')
    try {
      await order.endsPaid()
    } catch (error) {
      stage.learned.neverLooks = error instanceof Finding && error.words.defect === 'lost'
      throw error
    }
  },
}

import type { Case } from '../case.ts'
import { Finding, type FindingWords } from '../finding.ts'
import { happy } from '../stage/scripts.ts'
import type { Stage } from '../stage/stage.ts'
import { simplerFailures } from './found-before.ts'

export const noWebhook: Case = {
  id: 'K28',
  level: 'MUST',
  first: true,
  title: 'No webhook at all',
  happens: 'An order is paid and COMPLETED, and none of its webhooks ever arrives.',
  right: 'Look open orders up regularly, and fulfil once when one is COMPLETED.',
  why: 'Webhooks get lost: an endpoint that was down for too long, a firewall, a wrong URL. The customer has still paid.',
  explainedBy: simplerFailures,
  async run(stage) {
    stage.needs('start', 'probe')
    const order = await stage.order({ follows: { ...happy, webhooks: { drop: true } } })
    await stage.advance('10s')
    const waitedMs = stage.longestMs
    try {
      await order.endsPaid()
    } catch (error) {
      if (!(error instanceof Finding) || error.words.defect !== 'lost') throw error
      stage.learned.neverLooks = true
      throw new Finding({ ...error.words, ...inTime(waitedMs, stage) })
    }
  },
}

/** Words the finding with the time limit that was used: an application that polls less often may be right too. */
function inTime(waitedMs: number, { app }: Stage): Pick<FindingWords, 'did' | 'should'> {
  const seconds = `${waitedMs / 1_000} s`
  return {
    did: `It did not notice by polling that the order is COMPLETED, within ${seconds} of wall-clock time${app.reconcile === null ? '' : ' and with `reconcile` called'}`,
    should: `${noWebhook.right} ${advice(seconds, app.reconcile !== null)}`,
  }
}

const advice = (seconds: string, reconciles: boolean): string =>
  reconciles
    ? `If it needs longer than ${seconds} after that, raise \`polling\`.`
    : `If it does so less often than every ${seconds}, set \`reconcile\` (a call that makes it look immediately) or a longer \`polling\`.`

import type { CaseResult, ConformReport, ReportedFinding, SentWebhook } from '../../../src/conform/report.ts'

/** A webhook that an application has answered. */
export const sentWebhook: SentWebhook = {
  deliveryId: 'del_1',
  attempt: 1,
  url: 'http://127.0.0.1:3000/webhooks',
  headers: {
    host: '127.0.0.1:3000',
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1790000000',
    'webhook-signature': 'v1,c2lnbmF0dXJl',
  },
  body: '{"requestId":"r1","orderStatus":"COMPLETED"}',
  status: 200,
  answer: 'ok',
  ms: 3,
  error: null,
}

/** The finding of a failed case. */
const findingReport: ReportedFinding = {
  defect: 'doubled',
  did: 'It fulfilled the order 2 times; expected 1.',
  should: 'Answer 2xx and release nothing more.',
  requestId: 'r1',
  timeline: [
    { atMs: 0, wallMs: 3, who: 'conform', what: 'asks the application to create a checkout order' },
    { atMs: 0, wallMs: 5, who: 'call', what: 'POST /v1/client/checkout/create-order: answered 200' },
    { atMs: 0, wallMs: null, who: 'service', what: 'created: CREATED' },
    { atMs: 5_000, wallMs: 40, who: 'webhook', what: 'COMPLETED: answered 200 after 3 ms' },
    {
      atMs: 10_000,
      wallMs: 1_234,
      who: 'conform',
      what: 'asks the application for the order: it said "paid" with 2 fulfilments',
    },
  ],
  sent: sentWebhook,
  repeat: 'payment-order-emulator conform conform.yaml --only K08 --seed 1a2b',
  curl: "curl -i -X POST 'http://127.0.0.1:3000/webhooks' \\\n  --data-raw '{}'",
  resend: "curl -s -X POST 'http://127.0.0.1:4600/_emulator/deliveries/del_1/resend'",
}

const judged = (result: Pick<CaseResult, 'id' | 'title' | 'verdict'> & Partial<CaseResult>): CaseResult => ({
  level: 'MUST',
  happens: 'The webhook of COMPLETED is accepted, and arrives again with the same id and the same bytes.',
  right: 'Answer 2xx and release nothing more.',
  why: 'Webhooks are delivered at least once. An application that acts on each copy ships twice.',
  note: null,
  needs: [],
  finding: null,
  ms: 640,
  ...result,
})

/** One case of each verdict. */
export const sampleCases: readonly CaseResult[] = [
  judged({ id: 'K01', title: 'An order is paid', verdict: 'PASS' }),
  judged({ id: 'K08', title: 'The same webhook again immediately', verdict: 'FAIL', finding: findingReport }),
  judged({
    ...{
      id: 'K13',
      level: 'SHOULD',
      title: 'A duplicate that comes 26 hours after the first one has been answered',
      verdict: 'WARN',
    },
    finding: { ...findingReport, did: 'It fulfilled the order 3 times; expected 1.' },
  }),
  judged({
    ...{ id: 'K04', title: 'A forged webhook', verdict: 'NOT-SEEN' },
    note: 'whether it verifies signatures: give `webhookSignature`',
    needs: ['webhookSignature'],
  }),
]

/** A report of these cases. */
export function sampleReport(cases = sampleCases, problems: ConformReport['problems'] = []): ConformReport {
  const counts = { PASS: 0, FAIL: 0, WARN: 0, 'NOT-SEEN': 0 }
  for (const { verdict } of cases) counts[verdict] += 1
  return {
    ok: counts.FAIL === 0 && problems.length === 0,
    sawTooLittle: false,
    seed: '1a2b',
    emulator: 'http://127.0.0.1:4600',
    clientId: 'demo-client',
    startedAt: 1_790_000_000_000,
    ms: 34_200,
    counts,
    problems,
    cases,
  }
}

/** An answer that tries to attack the reader of a report. */
const hostile =
  '\u001b[2J\u001b]0;owned\u0007\rPASS\u0000\u009b1m\u202e\u2028]]></failure><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\ufffe\ud800'

/** A report in which every text from outside is hostile. */
export function hostileReport(): ConformReport {
  const finding: ReportedFinding = {
    ...findingReport,
    did: `It said ${hostile}`,
    requestId: hostile,
    timeline: findingReport.timeline.map((entry) => ({ ...entry, what: `${entry.what} ${hostile}` })),
    sent: {
      ...sentWebhook,
      ...{ url: `http://127.0.0.1:3000/${hostile}`, body: hostile, answer: hostile, error: hostile },
      headers: { 'x-note': hostile },
    },
  }
  const cases = [
    judged({ id: 'K08', title: 'The same webhook again immediately', verdict: 'FAIL', finding }),
    judged({ id: 'K13', title: 'A duplicate after 26 hours', verdict: 'WARN', finding }),
    judged({ id: 'K20', title: 'A webhook too early', verdict: 'NOT-SEEN', note: hostile }),
  ]
  return {
    ...sampleReport(cases, [{ member: 'probe.status', message: hostile }]),
    ...{ clientId: hostile, seed: hostile, emulator: hostile },
  }
}

import { htmlDocument } from '../../domain/html-document.ts'
import type { CaseResult, ConformReport, Verdict } from '../report.ts'
import { explanationOf } from './explanation.ts'
import { ExplanationView } from './html-explanation.tsx'
import { htmlStyle } from './html-style.ts'
import { plainLine } from './lines.ts'
import { problemHeadline } from './problem-words.ts'
import { inOrder, littleSeen, nextStepOf, remarkOn, secondsOf, summaryOf } from './summary.ts'

/** Of a body, a page shows so much. */
const bodyCharacters = 64 * 1024

/** A report as one page that needs nothing else: no script, no other file. */
export function htmlReport(report: ConformReport): string {
  const title = `${report.ok ? 'OK' : 'Not OK'}: payment integration of ${plainLine(report.clientId)}`
  return htmlDocument({ title, style: htmlStyle, main: (<Main report={report} />).toString() })
}

function Main({ report }: { report: ConformReport }) {
  const nextStep = nextStepOf(report.cases)
  return (
    <main>
      <h1>How does the payment integration handle failures?</h1>
      <Head report={report} />
      <Problems report={report} />
      {nextStep === null ? null : <p class="step">{nextStep}</p>}
      {groups.map(([verdict, title]) => (
        <Group title={title} cases={inOrder(report.cases).filter((result) => result.verdict === verdict)} />
      ))}
    </main>
  )
}

const groups: readonly (readonly [verdict: Verdict, title: string])[] = [
  ['FAIL', 'Failed'],
  ['WARN', 'Warnings'],
  ['PASS', 'Passed'],
  ['NOT-SEEN', 'Skipped: not observable'],
]

function Head({ report }: { report: ConformReport }) {
  const { clientId, emulator, startedAt, ok } = report
  const good = littleSeen(report) === null ? 'good' : ''
  return (
    <>
      <p class={`sum ${ok ? good : 'bad'}`}>{summaryOf(report)}</p>
      <p class="faint">
        The client {plainLine(clientId)} at {plainLine(emulator)}, on{' '}
        {new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC
      </p>
    </>
  )
}

function Problems({ report }: { report: ConformReport }) {
  const headline = problemHeadline(report)
  if (headline === null) return null
  return (
    <section class="problems" aria-labelledby="problems">
      <h2 id="problems">Problems in the configuration</h2>
      <p>{headline}</p>
      <ul>
        {report.problems.map(({ member, message }) => (
          <li>
            <code>{plainLine(member)}</code>: {plainLine(message)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Group({ title, cases }: { title: string; cases: readonly CaseResult[] }) {
  if (cases.length === 0) return null
  return (
    <section>
      <h2>
        {title} ({cases.length})
      </h2>
      {cases.map((result) => (
        <Case result={result} />
      ))}
    </section>
  )
}

function Case({ result }: { result: CaseResult }) {
  const { id, level, title, verdict, finding, happens, right, why, ms } = result
  const remark = verdict === 'PASS' ? '' : plainLine(remarkOn(result))
  return (
    <details id={id} open={verdict === 'FAIL'}>
      <summary>
        <span class="id">{id}</span> <span class={`badge ${verdict}`}>{verdict}</span> {title}{' '}
        <span class="faint">
          {level}
          {remark === '' ? null : `: ${remark}`}
        </span>
      </summary>
      <div>
        {finding === null ? (
          <dl>
            <dt>What happens</dt>
            <dd>{happens}</dd>
            <dt>It should</dt>
            <dd>{right}</dd>
            <dt>Why it matters</dt>
            <dd>{why}</dd>
          </dl>
        ) : (
          <ExplanationView explanation={explanationOf(result, finding, bodyCharacters)} />
        )}
        <p class="faint">It took {secondsOf(ms)}.</p>
      </div>
    </details>
  )
}

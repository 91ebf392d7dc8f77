import { htmlDocument } from '../../domain/text/markup.ts'
import type { CaseResult, ConfigurationProblem, ConformReport, Verdict } from '../report.ts'
import {
  commandHints,
  commandHintsTitle,
  type Explanation,
  explanationOf,
  type Shown,
  type TimelineRow,
} from './explanation.ts'
import { plainLine } from './lines.ts'
import {
  inOrder,
  littleSeen,
  nextStepOf,
  problemHeadline,
  remarkOn,
  secondsOf,
  summaryOf,
} from './summary.ts'

/** The style sheet, inlined because the page loads no files. */
export const htmlStyle = `
:root {
  --paper: #ffffff; --panel: #f6f7f9; --ink: #171c26; --faint: #596273; --line: #dde1e8; --link: #0b57c2;
  --good: #12693d; --good-back: #e3f4ea; --bad: #b3261e; --bad-back: #fdeceb;
  --warn: #7a4b00; --warn-back: #fdf1dc; --other: #4a5364; --other-back: #eceef2;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", monospace;
  color-scheme: light dark;
  font: 15px / 1.5 system-ui, sans-serif;
  color: var(--ink);
  background: var(--paper);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #11151c; --panel: #181d26; --ink: #e6eaf1; --faint: #a0abbb; --line: #2b3340; --link: #8ab8ff;
    --good: #74d6a4; --good-back: #15322a; --bad: #ff9d95; --bad-back: #3a1d1f;
    --warn: #f0c074; --warn-back: #362a16; --other: #b6bfcd; --other-back: #262d39;
  }
}
body { overflow-wrap: anywhere; margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .25rem 0; }
.sum { font-size: 1.15rem; font-weight: 600; }
.sum.good { color: var(--good); }
.sum.bad { color: var(--bad); }
.faint { color: var(--faint); }
.problems { background: var(--bad-back); border: 2px solid var(--bad); border-radius: 8px; padding: .75rem 1rem; margin: 1rem 0; }
.problems h2 { margin: 0; color: var(--bad); }
.step { background: var(--panel); border-left: 4px solid var(--link); padding: .5rem .75rem; margin: 1rem 0; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
summary { cursor: pointer; padding: .5rem .75rem; overflow-wrap: anywhere; }
summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 8px; }
details > div { border-top: 1px solid var(--line); padding: .5rem .75rem .75rem; }
.id { font-family: var(--mono); }
.badge { border-radius: 4px; font-size: .8rem; font-weight: 600; padding: .1rem .4rem; white-space: nowrap; }
.PASS { color: var(--good); background: var(--good-back); }
.FAIL { color: var(--bad); background: var(--bad-back); }
.WARN { color: var(--warn); background: var(--warn-back); }
.NOT-SEEN { color: var(--other); background: var(--other-back); }
dl { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem .75rem; margin: .25rem 0; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; font: .85rem / 1.45 var(--mono); margin: .25rem 0;
  overflow-wrap: anywhere; padding: .5rem .75rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); overflow-wrap: anywhere; padding: .2rem .5rem .2rem 0; text-align: left; vertical-align: top; }
th { color: var(--faint); font-weight: 400; }
th, td:not(:last-child) { overflow-wrap: normal; white-space: nowrap; }
td.time { font-family: var(--mono); font-size: .85rem; }
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
  thead { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px; }
  table, tbody, tr, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .35rem 0; }
  td { border: 0; display: inline; padding: 0 .5rem 0 0; }
  td:last-child { display: block; }
}
`

/** The maximum length of a body that the HTML report shows. */
const bodyCharacters = 64 * 1024

/** Renders the report as one HTML page without scripts or other files. */
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
      <Problems headline={problemHeadline(report)} problems={report.problems} />
      {nextStep === null ? null : <p class="step">{nextStep}</p>}
      <Groups groups={withFindings} cases={report.cases} />
      <CommandHints cases={report.cases} />
      <Groups groups={withoutFindings} cases={report.cases} />
    </main>
  )
}

type Titled = readonly (readonly [verdict: Verdict, title: string])[]

const withFindings: Titled = [
  ['FAIL', 'Failed'],
  ['WARN', 'Warnings'],
]

const withoutFindings: Titled = [
  ['PASS', 'Passed'],
  ['NOT-SEEN', 'Skipped: not observable'],
]

function Groups({ groups, cases }: { groups: Titled; cases: readonly CaseResult[] }) {
  return (
    <>
      {groups.map(([verdict, title]) => (
        <Group title={title} cases={inOrder(cases).filter((result) => result.verdict === verdict)} />
      ))}
    </>
  )
}

function CommandHints({ cases }: { cases: readonly CaseResult[] }) {
  const hints = commandHints(cases.flatMap(({ finding }) => finding ?? []))
  if (hints.length === 0) return null
  return (
    <section>
      <h2>{commandHintsTitle}</h2>
      <Facts facts={hints.map(({ label, words }) => [label, words] as const)} />
    </section>
  )
}

function Head({ report }: { report: ConformReport }) {
  const { ok } = report
  const good = littleSeen(report) === null ? 'good' : ''
  return (
    <>
      <p class={`sum ${ok ? good : 'bad'}`}>{summaryOf(report)}</p>
      <RunPlace run={report} />
    </>
  )
}

/** Where and when a run took place. */
export function RunPlace({ run }: { run: Pick<ConformReport, 'clientId' | 'emulator' | 'startedAt'> }) {
  const { clientId, emulator, startedAt } = run
  return (
    <p class="faint">
      The client {plainLine(clientId)} at {plainLine(emulator)}, on{' '}
      {new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC
    </p>
  )
}

/** The problems of a configuration; nothing without a headline. */
export function Problems({
  headline,
  problems,
  title = 'Problems in the configuration',
}: {
  headline: string | null
  problems: readonly ConfigurationProblem[]
  title?: string
}) {
  if (headline === null) return null
  return (
    <section class="problems" aria-labelledby="problems">
      <h2 id="problems">{title}</h2>
      <p>{headline}</p>
      <ul>
        {problems.map(({ member, message }) => (
          <li>
            <code>{plainLine(member)}</code>: {plainLine(message)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Facts, each with its label. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, string])[] }) => (
  <dl>
    {facts.map(([label, words]) => (
      <>
        <dt>{label}</dt>
        <dd>{words}</dd>
      </>
    ))}
  </dl>
)

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
          <Facts
            facts={[
              ['What happens', happens],
              ['It should', right],
              ['Why it matters', why],
            ]}
          />
        ) : (
          <ExplanationView explanation={explanationOf(result, finding, bodyCharacters)} />
        )}
        <p class="faint">It took {secondsOf(ms)}.</p>
      </div>
    </details>
  )
}

function ExplanationView({ explanation }: { explanation: Explanation }) {
  const { facts, whose, timeline, sent, answer, commands } = explanation
  return (
    <>
      <Facts facts={facts} />
      {timeline.length === 0 ? null : <Timeline title={whose} rows={timeline} />}
      {sent === null ? null : <Message shown={sent} />}
      {answer === null ? null : <Message shown={answer} />}
      {commands.map(({ label, command }) => (
        <>
          <h3>{label}</h3>
          <pre>{command}</pre>
        </>
      ))}
    </>
  )
}

function Timeline({ title, rows }: { title: string; rows: readonly TimelineRow[] }) {
  return (
    <>
      <h3>{title}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Client’s clock</th>
            <th scope="col">Wall, s</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ clock, wall, who, what }) => (
            <tr>
              <td class="time">{clock}</td>
              <td class="time">{wall}</td>
              <td>{who}</td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Message({ shown: { label, headline, headers, body, hint } }: { shown: Shown }) {
  return (
    <>
      <h3>{label}</h3>
      <pre>{[headline, ...headers, ...(body.length === 0 ? [] : ['', ...body])].join('\n')}</pre>
      {hint === '' ? null : <p class="faint">({hint})</p>}
    </>
  )
}

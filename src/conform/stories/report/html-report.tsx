import { htmlDocument } from '../../../domain/text/markup.ts'
import { htmlStyle } from '../../report/html-report.tsx'
import { plainLine } from '../../report/lines.ts'
import { secondsOf } from '../../report/summary.ts'
import type { StoryReport, StoryResult } from './report.ts'
import { factsOf, problemHeadline, remarkOn, sawNothing, stepsOf, summaryOf } from './summary.ts'

/** Renders the report as one HTML page without scripts or other files. */
export function storyHtmlReport(report: StoryReport): string {
  const title = `${report.ok ? 'OK' : 'Not OK'}: stories of ${plainLine(report.clientId)}`
  return htmlDocument({ title, style: htmlStyle, main: (<Main report={report} />).toString() })
}

function Main({ report }: { report: StoryReport }) {
  const { ok, stories, clientId, emulator, startedAt } = report
  const good = sawNothing(stories) ? '' : 'good'
  return (
    <main>
      <h1>Does the payment integration keep its promises?</h1>
      <p class={`sum ${ok ? good : 'bad'}`}>{summaryOf(report)}</p>
      <p class="faint">
        The client {plainLine(clientId)} at {plainLine(emulator)}, on{' '}
        {new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC
      </p>
      <Problems report={report} />
      {stories.map((result) => (
        <Story result={result} />
      ))}
    </main>
  )
}

function Problems({ report }: { report: StoryReport }) {
  const headline = problemHeadline(report)
  if (headline === null) return null
  return (
    <section class="problems" aria-labelledby="problems">
      <h2 id="problems">Problems</h2>
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

function Story({ result }: { result: StoryResult }) {
  const { name, verdict, broken, again, ms } = result
  return (
    <details open={broken !== null}>
      <summary>
        <span class={`badge ${verdict}`}>{verdict}</span> {plainLine(name)}{' '}
        <span class="faint">{remarkOn(result)}</span>
      </summary>
      <div>
        <ol>
          {stepsOf(result).map(({ act, seen }) => (
            <li>
              {act} <span class="faint">{seen}</span>
            </li>
          ))}
        </ol>
        <dl>
          {factsOf(result).map(([label, words]) => (
            <>
              <dt>{label}</dt>
              <dd>{words}</dd>
            </>
          ))}
        </dl>
        {again === null ? null : (
          <>
            <h3>Play only this story again</h3>
            <pre>{again}</pre>
          </>
        )}
        <p class="faint">It took {secondsOf(ms)}.</p>
      </div>
    </details>
  )
}

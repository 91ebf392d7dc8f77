import { htmlDocument } from '../../../domain/text/markup.ts'
import { Facts, htmlStyle, Problems, RunPlace } from '../../report/html-report.tsx'
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
  const { ok, stories, problems } = report
  const good = sawNothing(stories) ? '' : 'good'
  return (
    <main>
      <h1>Does the payment integration keep its promises?</h1>
      <p class={`sum ${ok ? good : 'bad'}`}>{summaryOf(report)}</p>
      <RunPlace run={report} />
      <Problems headline={problemHeadline(report)} problems={problems} title="Problems" />
      {stories.map((result) => (
        <Story result={result} />
      ))}
    </main>
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
        <Facts facts={factsOf(result)} />
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

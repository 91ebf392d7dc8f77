import { htmlDocument } from '../../../domain/text/markup.ts'
import { Facts, htmlStyle, Problems, RunPlace } from '../../report/html-report.tsx'
import { plainLine, plainLines } from '../../report/lines.ts'
import { storyFileText } from '../found-file.ts'
import type { ExploreReport, FoundStory } from '../report.ts'
import {
  extentOf,
  labelOf,
  lastStoriesTitle,
  lastStoryLines,
  leftOutLines,
  leftOutTitle,
  originOf,
  problemHeadline,
  resultOf,
  stepRows,
} from './words.ts'

const style = `${htmlStyle}
img { background: #ffffff; border: 1px solid var(--line); border-radius: 6px; height: auto; max-width: 100%; }
td:nth-child(2) { white-space: normal; }
`

/** Renders the report of a search as one HTML page without scripts or other files. */
export function htmlReport(report: ExploreReport): string {
  const title = `${report.ok ? 'OK' : 'Not OK'}: payment integration of ${plainLine(report.clientId)}`
  return htmlDocument({ title, style, main: (<Main report={report} />).toString(), pictures: true })
}

function Main({ report }: { report: ExploreReport }) {
  const { ok, problems, found, seed, stories } = report
  const good = found.length === 0 && stories > 0 ? 'good' : ''
  return (
    <main>
      <h1>Which stories break the payment integration?</h1>
      <p class={`sum ${ok ? good : 'bad'}`}>{resultOf(report)}</p>
      <p>{extentOf(report)}</p>
      <RunPlace run={report} />
      <Problems headline={problemHeadline(report)} problems={problems} />
      <Stopped report={report} />
      {found.map((each, index) => (
        <Found found={each} seed={seed} id={`found-${index + 1}`} />
      ))}
      <LeftOut report={report} />
    </main>
  )
}

function Stopped({ report }: { report: ExploreReport }) {
  const { stopped } = report
  if (stopped === null) return null
  const stories = lastStoryLines(report)
  return (
    <section class="problems" aria-labelledby="stopped">
      <h2 id="stopped">The search was stopped</h2>
      <p>{plainLine(stopped.why)}</p>
      {stories.length === 0 ? null : <p>{lastStoriesTitle}</p>}
      {stories.length === 0 ? null : <Lines lines={stories} />}
    </section>
  )
}

function LeftOut({ report }: { report: ExploreReport }) {
  const lines = leftOutLines(report)
  if (lines.length === 0) return null
  return (
    <section>
      <h2>{leftOutTitle}</h2>
      <Lines lines={lines} />
    </section>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul>
    {lines.map((line) => (
      <li>{line}</li>
    ))}
  </ul>
)

function Found({ found, seed, id }: { found: FoundStory; seed: string; id: string }) {
  const { title, did, should, why, file, again, seldom } = found
  return (
    <details id={id} open={!seldom}>
      <summary>
        <span class={`badge ${seldom ? 'WARN' : 'FAIL'}`}>{labelOf(found)}</span> {plainLine(title)}{' '}
        <span class="faint">{originOf(found)}</span>
      </summary>
      <div>
        <Steps found={found} />
        <Facts
          facts={[
            ['It did', plainLine(did)],
            ['It should', plainLine(should)],
            ['Why it matters', plainLine(why)],
          ]}
        />
        <Sequence found={found} />
        {again === null ? null : <h3>Play it again</h3>}
        {again === null ? null : <pre>{plainLine(again)}</pre>}
        <h3>{file === null ? 'The story as a file' : `The story, kept as ${plainLine(file)}`}</h3>
        <pre>{plainLines(storyFileText(found, { seed }).trimEnd()).join('\n')}</pre>
      </div>
    </details>
  )
}

const Steps = ({ found }: { found: FoundStory }) => (
  <table>
    <thead>
      <tr>
        <th scope="col">No.</th>
        <th scope="col">Act</th>
        <th scope="col">What happened</th>
      </tr>
    </thead>
    <tbody>
      {stepRows(found).map(({ number, act, seen }) => (
        <tr>
          <td>{number}</td>
          <td>{act}</td>
          <td>{seen}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The sequence as a picture of its own: its ids cannot meet those of another one, and it can run nothing. */
function Sequence({ found: { sequence, requestId } }: { found: FoundStory }) {
  if (sequence === null) return null
  const order = requestId === null ? 'the order' : `the order ${plainLine(requestId)}`
  return (
    <>
      <h3>Sequence of {order}</h3>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(sequence.toWellFormed())}`}
        alt={`Messages between application, service and webhook URL about ${order}`}
      />
    </>
  )
}

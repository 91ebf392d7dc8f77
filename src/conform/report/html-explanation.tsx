import type { Explanation, Shown, TimelineRow } from './explanation.ts'

/** What somebody needs to understand a finding, below the headline of its case. */
export function ExplanationView({ explanation }: { explanation: Explanation }) {
  const { facts, whose, timeline, sent, answer, commands } = explanation
  return (
    <>
      <dl>
        {facts.map(([label, words]) => (
          <>
            <dt>{label}</dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
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

import type { z } from 'zod'
import type { explanation } from '../../../control/shapes/scenario.ts'
import { Status } from '../parts.tsx'
import { after, TimeStrip } from './time-strip.tsx'

type Explanation = z.output<typeof explanation>
type Row = Explanation['rows'][number]

/** What an order under a scenario would go through, told without running it. */
export function Timetable({ of }: { of: Explanation }) {
  const charges = new Set(of.rows.map(({ charge }) => charge)).size
  return (
    <>
      <TimeStrip rows={of.rows} />
      <table class="timetable">
        <caption class="unseen">What happens, in order of time</caption>
        <thead>
          <tr>
            <th scope="col">After</th>
            {charges > 1 ? <th scope="col">Charge</th> : null}
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {of.rows.map((row) => (
            <tr>
              <td class="number">{after(row.afterMs)}</td>
              {charges > 1 ? <td>{row.charge}</td> : null}
              <td>
                <What row={row} />
                <Remark on={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {of.cut === null ? null : <p class="hint">{of.cut}</p>}
      <Rules title="Answers to calls" rules={of.answerRules} />
      <Rules title="Webhook failures" rules={of.webhookRules} />
      <Rules title="Random choices for this order, by seed" rules={of.drawn} />
    </>
  )
}

function What({ row }: { row: Row }) {
  if (row.type === 'webhook')
    return (
      <details>
        <summary>
          {row.sent ? 'Webhook' : 'No webhook URL: not sent'} <Status of={row.orderStatus} />{' '}
          <span class="faint">{row.orderType}</span>
        </summary>
        <pre tabindex={0}>
          <code>{row.body}</code>
        </pre>
      </details>
    )
  return (
    <>
      {row.changes.map(({ what, from, to }) => (
        <div>
          {what}
          {from === undefined ? null : <span class="faint"> {from} →</span>}{' '}
          {to === undefined ? null : <Status of={to} />}
        </div>
      ))}
    </>
  )
}

function Remark({ on }: { on: Row }) {
  const words = remarkOn(on)
  return words === '' ? null : <p class="hint">{words}</p>
}

function remarkOn(row: Row): string {
  if (row.type === 'webhook')
    return [row.late ? 'late' : '', row.wrong].filter((word) => word !== '').join('; ')
  const code = row.errorCode === null ? '' : `error code ${row.errorCode}`
  return [row.assumed ?? '', code].filter((word) => word !== '').join('; ')
}

function Rules({ title, rules }: { title: string; rules: readonly string[] }) {
  if (rules.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="rules">
        {rules.map((rule) => (
          <li>{rule}</li>
        ))}
      </ul>
    </>
  )
}

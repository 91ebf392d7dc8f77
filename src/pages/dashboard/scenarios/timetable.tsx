import type { z } from 'zod'
import type { explanation } from '../../../control/shapes/scenario.ts'
import { Status } from '../parts.tsx'
import { after, TimeStrip } from './time-strip.tsx'

type Explanation = z.output<typeof explanation>
type Row = Explanation['rows'][number]

/** What an order under a scenario would go through, told without running it. */
export function Timetable({ of }: { of: Explanation }) {
  const isRemarked = of.rows.some((row) => remarkOn(row) !== '')
  const charges = new Set(of.rows.map(({ charge }) => charge)).size
  return (
    <>
      <TimeStrip rows={of.rows} />
      <table class="timetable">
        <caption class="sr">What happens, in order of time</caption>
        <thead>
          <tr>
            <th scope="col">After</th>
            {charges > 1 ? <th scope="col">Charge</th> : null}
            <th scope="col">What</th>
            {isRemarked ? <th scope="col">Remark</th> : null}
          </tr>
        </thead>
        <tbody>
          {of.rows.map((row) => (
            <tr>
              <td data-label="After" class="number">
                {after(row.afterMs)}
              </td>
              {charges > 1 ? <td data-label="Charge">{row.charge}</td> : null}
              <td data-label="What">
                <What row={row} />
              </td>
              {isRemarked ? <td data-label="Remark">{remarkOn(row)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
      {of.cut === null ? null : <p class="hint">{of.cut}</p>}
      <Rules title="How calls are answered" rules={of.answerRules} />
      <Rules title="How webhooks misbehave" rules={of.webhookRules} />
      <Rules title="Drawn by the seed for this order" rules={of.drawn} />
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

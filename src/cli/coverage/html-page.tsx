import {
  type CoverageReport,
  type HazardMet,
  missingHazards,
  percentLine,
  type SectionSum,
  sectionsOf,
} from '../../domain/coverage/report.ts'
import { htmlDocument } from '../../domain/text/markup.ts'

const style = `
:root { color-scheme: light dark; font: 15px / 1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-top: 1px solid #8886; padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; }
.missing { color: light-dark(#b3261e, #ff9d95); }
.percent { font-size: 1.2rem; font-weight: 600; }
`

/** Renders the report as one HTML page without scripts or other files. */
export const htmlPage = (report: CoverageReport): string =>
  htmlDocument({
    title: `Payment order tests: ${percentLine(report)}`,
    style,
    main: (<Main report={report} />).toString(),
  })

function Main({ report }: { report: CoverageReport }) {
  const { losingMoney, others } = missingHazards(report)
  const met = report.hazards.filter((hazard) => hazard.met > 0)
  return (
    <main>
      <h1>What has the service done in these tests?</h1>
      <Hazards title="Not met, and mishandling it loses money" items={losingMoney} />
      <Hazards title="Not met" items={others} />
      <Hazards title="Met" items={met} />
      {sectionsOf(report).map((section) => (
        <Section section={section} />
      ))}
      <p class="percent">{percentLine(report)}</p>
    </main>
  )
}

function Hazards({ title, items }: { title: string; items: readonly HazardMet[] }) {
  if (items.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Hazard</th>
            <th scope="col">The service …</th>
            <th scope="col">Covered by</th>
            <th scope="col">Met</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ name, does, bring, met }) => (
            <tr>
              <th scope="row" class={met === 0 ? 'missing' : undefined}>
                {name}
              </th>
              <td>{does}</td>
              <td>
                <code>{bring}</code>
              </td>
              <td>{met}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Section({ section: { title, met, of, items } }: { section: SectionSum }) {
  const shown = items.filter((item) => item.counts || item.met > 0)
  if (shown.length === 0) return null
  return (
    <section>
      <h2>{`${title}: ${met} of ${of}`}</h2>
      <table>
        <tbody>
          {shown.map((item) => (
            <tr>
              <th scope="row" class={item.met === 0 ? 'missing' : undefined}>
                {item.name}
              </th>
              <td>{item.met}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

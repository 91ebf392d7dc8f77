import { coverage as coverageShape } from '../../../control/shapes/coverage.ts'
import {
  type CoverageReport,
  type HazardMet,
  missingHazards,
  percentLine,
  type SectionSum,
  sectionsOf,
} from '../../../domain/coverage/report.ts'
import { Act } from '../../framework/form.tsx'
import { Confirm } from '../../framework/parts.tsx'
import { type DashboardPage, linkTo, type Shell } from '../../framework/view.ts'
import { Inline } from '../../reference/prose.tsx'

const path = '/ui/coverage'

/** `/_emulator/ui/coverage`: the hazards that the tests have met, and how to meet the rest. */
export const coveragePage: DashboardPage = {
  path,
  show: async ({ api, shell }) => {
    const { clientId } = shell
    const report = await api.get('/coverage', coverageShape, { clientId })
    return {
      title: clientId === undefined ? 'Coverage' : `Coverage of ${clientId}`,
      isLive: true,
      tools: (
        <p class="lead">Which behaviours of the service your tests have met, counted since the start.</p>
      ),
      body: <Report report={report} shell={shell} />,
    }
  },
}

/** Returns a link to the coverage page. */
export const linkToCoverage = (shell: Shell): string => linkTo(shell, path)

function Report({ report, shell }: { report: CoverageReport; shell: Shell }) {
  const { losingMoney, others } = missingHazards(report)
  const met = report.hazards.filter((hazard) => hazard.met > 0)
  return (
    <>
      <div class="heading-row">
        <p>
          <strong id="percent">{percentLine(report)}</strong>
        </p>
        <BeginAnew shell={shell} />
      </div>
      <Hazards id="losing-money" title="Not met, and mishandling it loses money" items={losingMoney} />
      <Hazards id="not-met" title="Not met" items={others} />
      <Hazards id="met" title="Met" items={met} />
      {sectionsOf(report).map((section) => (
        <Section section={section} />
      ))}
    </>
  )
}

function BeginAnew({ shell }: { shell: Shell }) {
  const { clientId } = shell
  return (
    <Confirm id="confirm-begin-anew" label="Reset coverage…">
      <p>This clears the coverage counted so far. Orders, webhooks and requests stay.</p>
      <Act
        shell={shell}
        id="begin-anew"
        action={{ method: 'DELETE', path: '/coverage', query: { clientId } }}
        label={`Reset the coverage of ${clientId === undefined ? 'all clients' : clientId}`}
        look="danger"
      />
    </Confirm>
  )
}

function Hazards({ id, title, items }: { id: string; title: string; items: readonly HazardMet[] }) {
  if (items.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table class="list">
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
            <tr id={`hazard-${name}`}>
              <th scope="row" data-label="Hazard">
                {name}
              </th>
              <td data-label="The service …">
                <Inline text={does} />
              </td>
              <td data-label="Covered by">
                <code>{bring}</code>
              </td>
              <td data-label="Met" class="number">
                {met}
              </td>
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
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{`${title}: ${met} of ${of}`}</h2>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Met</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr>
              <th scope="row" data-label="What">
                {item.name}
              </th>
              <td data-label="Met" class="number">
                {item.met}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

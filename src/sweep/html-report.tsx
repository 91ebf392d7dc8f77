import { htmlDocument } from '../domain/text/markup.ts'
import type { BehaviourResult, SweepReport } from './report.ts'
import { detailsOf, meaningOf, summaryOf } from './report.ts'

const style = `
:root { color-scheme: light dark; font: 15px / 1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; }
article { border-top: 1px solid #8886; padding: .5rem 0; }
h2 { font-size: 1rem; margin: 0; }
pre { background: #8882; margin: .5rem 0; padding: .5rem .75rem; white-space: pre-wrap; }
.outcome { font-weight: 600; }
.BROKE { color: light-dark(#b3261e, #ff9d95); }
.survived { color: light-dark(#12693d, #74d6a4); }
.faint { opacity: .8; }
`

/** Renders the report as one HTML page without scripts or other files. */
export const htmlReport = (report: SweepReport): string =>
  htmlDocument({
    title: `Sweep: ${summaryOf(report)}`,
    style,
    main: (<Main report={report} />).toString(),
  })

const order = ['BROKE', 'waited', 'gave up', 'flaky', 'survived', 'not met', 'skipped'] as const

function Main({ report }: { report: SweepReport }) {
  const { results, command, seed } = report
  return (
    <main>
      <h1>Which legal behaviours of the service do the tests survive?</h1>
      <p>{summaryOf(report)}</p>
      <p class="faint">
        <code>{command.join(' ')}</code>, seed <code>{seed}</code>
      </p>
      {order.flatMap((outcome) =>
        results.filter((result) => result.outcome === outcome).map((result) => <Result result={result} />),
      )}
    </main>
  )
}

function Result({ result }: { result: BehaviourResult }) {
  const { name, does, outcome } = result
  return (
    <article>
      <h2>
        <span class={`outcome ${outcome.replace(' ', '-')}`} title={meaningOf[outcome]}>
          {outcome}
        </span>{' '}
        {name}
      </h2>
      <p>The service {does}.</p>
      <pre>{detailsOf(result).join('\n')}</pre>
    </article>
  )
}

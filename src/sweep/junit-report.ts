import { element, xmlText } from '../domain/xml.ts'
import type { BehaviourResult, SweepReport } from './report.ts'
import { detailsOf, summaryOf } from './report-words.ts'

/** A report as JUnit XML: BROKE is a failure; what was not met or was left out is skipped with its reason; all else
 *  passes, and says what it found as its output. */
export function junitReport(report: SweepReport): string {
  const { counts, results, ms } = report
  const totals = { tests: results.length, failures: counts.BROKE, errors: 0, time: (ms / 1_000).toFixed(3) }
  const suite = element(
    'testsuite',
    {
      name: 'sweep',
      ...totals,
      skipped: counts['not met'] + counts.skipped,
      timestamp: report.startedAt.slice(0, 19),
    },
    [...results.map(caseOf), element('system-out', {}, [xmlText(summaryOf(report))])],
  )
  const suites = element('testsuites', { name: 'payment-order-emulator sweep', ...totals }, [suite])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`
}

function caseOf(result: BehaviourResult): string {
  const { name, does, outcome, failed = [] } = result
  const details = xmlText(detailsOf(result).join('\n'))
  const inside =
    outcome === 'BROKE'
      ? [element('failure', { type: 'BROKE', message: failed[0]?.message ?? outcome }, [details])]
      : outcome === 'not met' || outcome === 'skipped'
        ? [element('skipped', { message: result.reason ?? outcome })]
        : [element('system-out', {}, [xmlText(`${outcome}: `), details])]
  return element(
    'testcase',
    { classname: 'sweep', name: `${name}: the service ${does}`, time: '0.000' },
    inside,
  )
}

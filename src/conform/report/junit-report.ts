import { element, xmlText } from '../../domain/text/markup.ts'
import type { CaseResult, ConfigurationProblem, ConformReport } from '../report.ts'
import { plainLine } from './lines.ts'
import { inOrder, littleSeen, problemHeadline, remarkOn, summaryOf } from './summary.ts'
import { explainedInText, hintsInText } from './terminal-report.ts'

/** Maximum length of a body in the report of a CI job. */
const bodyCharacters = 20_000

/** Formats the report as JUnit XML for Jenkins, GitLab and others. A FAIL is a failure with its explanation, a
 *  NOT-SEEN is skipped with its reason, a WARN passes with its text as output. Configuration problems, and a run
 *  with too few observable cases, are errors. */
export function junitReport(report: ConformReport): string {
  const { counts, problems, ms, sawTooLittle } = report
  const errors = problems.length + (sawTooLittle ? 1 : 0)
  const totals = {
    tests: report.cases.length + errors,
    failures: counts.FAIL,
    errors,
    skipped: counts['NOT-SEEN'],
    time: seconds(ms),
  }
  const hints = hintsInText(report.cases)
  const suite = element('testsuite', { name: 'conform', ...totals, timestamp: timestampOf(report) }, [
    element('properties', {}, propertiesOf(report)),
    ...problems.map((problem) => problemElement(problem, report)),
    ...(sawTooLittle ? [sawTooLittleElement(report)] : []),
    ...inOrder(report.cases).map(caseElement),
    ...(hints === '' ? [] : [element('system-out', {}, [xmlText(hints)])]),
  ])
  // Strict readers of JUnit XML do not allow `skipped` in this element.
  const { skipped: _, ...outer } = totals
  const suites = element('testsuites', { name: 'payment-order-emulator conform', ...outer }, [suite])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Formats the time without a time zone, as the JUnit schema requires. */
const timestampOf = ({ startedAt }: ConformReport): string => new Date(startedAt).toISOString().slice(0, 19)

const propertiesOf = (report: ConformReport): string[] => {
  const { seed, emulator, clientId } = report
  const named = { summary: summaryOf(report), seed, emulator, clientId }
  return Object.entries(named).map(([name, value]) => element('property', { name, value: plainLine(value) }))
}

function problemElement({ member, message }: ConfigurationProblem, report: ConformReport): string {
  const name = `configuration: ${member}`
  const words = plainLine(`${member}: ${message}`)
  const text = `${problemHeadline(report)}\n${words}`
  return element('testcase', { classname: 'conform.configuration', name, time: seconds(0) }, [
    element('error', { type: 'configuration', message: words }, [xmlText(text)]),
  ])
}

function sawTooLittleElement(report: ConformReport): string {
  const message = littleSeen(report) ?? ''
  return element('testcase', { classname: 'conform', name: 'too few cases observable', time: seconds(0) }, [
    element('error', { type: 'saw-too-little', message }, [xmlText(summaryOf(report))]),
  ])
}

function caseElement(result: CaseResult): string {
  const { id, level, title, ms } = result
  const attributes = { classname: `conform.${level}`, name: `${id} ${title}`, time: seconds(ms) }
  return element('testcase', attributes, outcomeOf(result))
}

function outcomeOf(result: CaseResult): string[] {
  const { verdict, finding } = result
  const remark = plainLine(remarkOn(result))
  if (verdict === 'NOT-SEEN') return [element('skipped', { message: remark })]
  if (verdict === 'WARN')
    return [element('system-out', {}, [xmlText(explainedInText(result, bodyCharacters))])]
  if (verdict === 'PASS') return []
  const type = finding?.defect ?? 'failure'
  return [element('failure', { type, message: remark }, [xmlText(explainedInText(result, bodyCharacters))])]
}

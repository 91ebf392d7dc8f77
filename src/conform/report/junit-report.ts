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
  const { counts, problems, sawTooLittle } = report
  const hints = hintsInText(report.cases)
  const headline = problemHeadline(report) ?? ''
  return junitDocument(report, {
    command: 'conform',
    summary: summaryOf(report),
    failures: counts.FAIL,
    skipped: counts['NOT-SEEN'],
    errors: [
      ...problems.map((problem) => junitProblem('conform', problem, headline)),
      ...(sawTooLittle ? [sawTooLittleElement(report)] : []),
    ],
    cases: inOrder(report.cases).map(caseElement),
    output: hints,
  })
}

/** What the reports of all commands that test an application say about their run. */
type Run = Pick<ConformReport, 'seed' | 'emulator' | 'clientId' | 'startedAt' | 'ms'>

/** The results of a run as JUnit XML has them. */
interface JunitResults {
  /** The name of the command. */
  readonly command: string
  /** The name of the suite; default: that of the command. */
  readonly name?: string
  readonly summary: string
  readonly failures: number
  readonly skipped: number
  /** Elements of test cases that are errors. */
  readonly errors: readonly string[]
  /** Elements of the other test cases. */
  readonly cases: readonly string[]
  /** The output of the whole run; may be empty. */
  readonly output: string
}

/** Builds the JUnit XML of a run. */
export function junitDocument(run: Run, results: JunitResults): string {
  const { command, name = command, summary, failures, skipped, errors, cases, output } = results
  const totals = {
    tests: cases.length + errors.length,
    failures,
    errors: errors.length,
    skipped,
    time: junitSeconds(run.ms),
  }
  const suite = element('testsuite', { name, ...totals, timestamp: timestampOf(run) }, [
    element('properties', {}, propertiesOf(run, summary)),
    ...errors,
    ...cases,
    ...(output === '' ? [] : [element('system-out', {}, [xmlText(output)])]),
  ])
  // Strict readers of JUnit XML do not allow `skipped` in this element.
  const { skipped: _, ...outer } = totals
  const suites = element('testsuites', { name: `payment-order-emulator ${command}`, ...outer }, [suite])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${suites}\n`
}

/** Formats milliseconds as the seconds of JUnit XML. */
export const junitSeconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Formats the time without a time zone, as the JUnit schema requires. */
const timestampOf = ({ startedAt }: Run): string => new Date(startedAt).toISOString().slice(0, 19)

const propertiesOf = ({ seed, emulator, clientId }: Run, summary: string): string[] => {
  const named = { summary, seed, emulator, clientId }
  return Object.entries(named).map(([name, value]) => element('property', { name, value: plainLine(value) }))
}

/** Builds the element of a problem in the configuration.
 *  @param command the name of the command
 *  @param headline stands before the problem */
export function junitProblem(
  command: string,
  { member, message }: ConfigurationProblem,
  headline: string,
): string {
  const words = plainLine(`${member}: ${message}`)
  return junitError(`${command}.configuration`, `configuration: ${member}`, {
    ...{ type: 'configuration', message: words },
    text: `${headline}\n${words}`,
  })
}

/** Builds the element of a test case that is an error. */
export const junitError = (
  classname: string,
  name: string,
  { type, message, text }: { readonly type: string; readonly message: string; readonly text: string },
): string =>
  element('testcase', { classname, name, time: junitSeconds(0) }, [
    element('error', { type, message }, [xmlText(text)]),
  ])

function sawTooLittleElement(report: ConformReport): string {
  const message = littleSeen(report) ?? ''
  const type = 'saw-too-little'
  return junitError('conform', 'too few cases observable', { type, message, text: summaryOf(report) })
}

function caseElement(result: CaseResult): string {
  const { id, level, title, ms } = result
  const attributes = { classname: `conform.${level}`, name: `${id} ${title}`, time: junitSeconds(ms) }
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

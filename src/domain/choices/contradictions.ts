import { isMapping } from '../text/objects.ts'
import type { Problem } from '../text/problems.ts'

/** A line of the API specification that no setting can change. */
interface PrintedLine {
  /** The names that a user may try for such a setting. Existing settings have other names. */
  readonly names: RegExp
  /** Where the line is: a section, or its number in one. */
  readonly section: string
  readonly line: string
}

const errorsSection = 'section "Errors"'

const duplicateOrder: PrintedLine = {
  names: /^errors\.(duplicate|orderExists|7001)\w*(\.|$)/i,
  section: errorsSection,
  line: 'Create order, 401, code `7001`: `Order already exists for given requestId`',
}

const failedVerification: PrintedLine = {
  names: /^(errors|auth)\.(verification|unauthori[sz]ed|forbidden|clientVerification|401|403)\w*(\.|$)/i,
  section: errorsSection,
  line: '401, `{error: <string>}`, text `Client verification failed`',
}

/** What the API specification prints, and a setting might try to change. */
const printedLines: readonly PrintedLine[] = [
  failedVerification,
  duplicateOrder,
  {
    names: /^(auth\.(token)?header|auth\.(tokenHeaderName|accessTokenHeader|headerName|scheme))$/i,
    section: 'section "Authentication", 1',
    line: 'Every operation requires the header `access-token`',
  },
  {
    names: /^signature\.(header|algorithm|encoding|key|hash)\w*$/i,
    section: 'section "Authentication", 2',
    line: 'the header `signature`: HMAC with SHA-256, keyed with the API secret, base64-encoded',
  },
  {
    names: /^paths\.(prefix|base|version)\w*$/i,
    section: 'section "Versioning"',
    line: 'All paths carry the prefix `/v1/`',
  },
]

const cites = ({ section, line }: PrintedLine): string =>
  `the API specification prints it (${section}: ${line})`

/** Explains why there is no setting of a name; undefined if the API specification says nothing about it. */
export function printedFor(name: string): string | undefined {
  const printed = printedLines.find(({ names }) => names.test(name))
  return printed && `\`${name}\` cannot be set: ${cites(printed)}`
}

/** The values of settings that contradict the API specification: the field of the value, and the line. */
const contradictoryFields: readonly (readonly [setting: string, field: string, printed: PrintedLine])[] = [
  ['errors.catalog', '7001', duplicateOrder],
  ['errors.codes', '401', failedVerification],
  ['errors.messages', '401', failedVerification],
]

/** Finds the fields of a setting's value that contradict the API specification. */
export function contradictionsIn(name: string, value: unknown): Problem[] {
  if (!isMapping(value)) return []
  return contradictoryFields
    .filter(([setting, field]) => setting === name && Object.hasOwn(value, field))
    .map(([, field, printed]) => ({
      path: [field],
      message: `\`${name}\`: ${field} cannot be set: ${cites(printed)}`,
      at: 'key',
    }))
}

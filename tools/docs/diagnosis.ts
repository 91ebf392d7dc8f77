import { causeTable } from '../../src/domain/diagnosis/causes.ts'
import { sections, table } from './table.ts'

/** The causes of refusals, in sections. */
export const causes = (): string =>
  sections(
    Object.entries(causeTable),
    ([cause]) => cause,
    {
      'signature.amount-spelling': 'Signature: the string',
      'signature.key-altered': 'Signature: the key',
      'signature.algorithm': 'Signature: the digest and its encoding',
      'token.missing': 'Access token',
      'clientId.missing': 'Client',
      'query.name': 'Query',
      'body.content-type': 'Body',
      'input.member-name': 'Fields',
      'path.trailing-slash': 'Path and method',
      'http.headers-too-large': 'Invalid HTTP requests',
      'emulator.disk-full': 'The emulator itself',
    },
    (rows) =>
      table(
        ['Cause', 'What it means', 'What to do'],
        rows.map(([cause, [means, remedy]]) => [`\`${cause}\``, means, remedy]),
      ),
  )

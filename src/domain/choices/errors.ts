import * as z from 'zod'
import { type Choice, oneOf, setting } from './choice.ts'

/** What the document leaves open about errors and HTTP. */
export const errorChoices = [
  {
    n: 'N28',
    open: 'The answer to invalid input.',
    choice:
      'Status 400; on the create paths `{"error":{"code":"400","message":"<field>: <reason>"}}`, elsewhere ' +
      '`{"error":"<field>: <reason>"}`. All wrong fields are named.',
    reason: 'The usual status; each path keeps the error shape it is shown with.',
    settings: {
      'errors.validationStatus': setting(z.int().min(400).max(499), 400, {
        allowed: 'a status from 400 to 499',
        scope: 'client',
      }),
    },
  },
  {
    n: 'N29',
    open: 'Members of a body that the document does not name.',
    choice: 'Ignored; the journal warns, with the nearest right name.',
    reason: 'Services that grow must ignore them; the warning still finds the typing slip.',
  },
  {
    n: 'N30',
    open: 'What "50 characters" counts.',
    choice: 'Unicode code points.',
    reason: 'What a person would count, short of combined characters.',
  },
  {
    n: 'N31',
    open: 'Optional fields that are `""` or `null`.',
    choice: '`""` is as good as absent; `null` is invalid input.',
    reason: 'Absent and empty are treated alike where the document speaks of signing; `null` is no string.',
    settings: { 'validation.nullOptional': oneOf(['refuse', 'absent'], 'refuse', { scope: 'client' }) },
  },
  {
    n: 'N32',
    open: 'The syntax of `email` and `callbackUrl`.',
    choice:
      'An `email` has exactly one `@`, with something before and behind it. A `callbackUrl` is absolute; ' +
      'its scheme is http, https or one of an application, but none that runs or reads something ' +
      '(`javascript`, `vbscript`, `data`, `file`, `blob`). Control characters are invalid.',
    reason: 'Enough to catch swapped fields, and a browser that is sent there must not run a script.',
  },
  {
    n: 'N33',
    open: 'The answers 404, 405, 413, 415 and 500.',
    choice:
      '`{"error":"..."}`. A POST that is compressed or whose Content-Type is not JSON is 415, a body over 1 MiB 413, a wrong method 405 ' +
      'with `Allow`, an unknown path 404 with the nearest one.',
    reason: 'Plain HTTP, and a message that says what to change.',
  },
  {
    n: 'N34',
    open: 'Rate limits.',
    choice: 'None; a scripted fault can answer 429 with `Retry-After`.',
    reason: 'No limit is printed, and a limit by surprise would make tests flaky.',
  },
  {
    n: 'N35',
    open: 'The whole list of error codes, and the text of 9005.',
    choice: 'The four that are named; 9005 reads `Description not shown in the interface document`.',
    reason: 'An invented text could pass for a real one.',
    settings: {
      'errors.catalog': setting(
        z.record(
          z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.-]{0,49}$/, 'expected an error code such as "9005"'),
          z.string().max(500),
        ),
        {},
        { allowed: 'an object of codes to descriptions, added to the four or in their place' },
      ),
    },
  },
] as const satisfies readonly Choice[]

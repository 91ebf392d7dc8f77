import * as z from 'zod'
import { type Choice, oneOf, setting } from './choice.ts'

/** Assumptions about errors and HTTP. */
export const errorChoices = [
  {
    n: 'N28',
    open: 'The answer to invalid input.',
    choice:
      'Status 400; on the create paths `{"error":{"code":"400","message":"<field>: <reason>"}}`, elsewhere ' +
      '`{"error":"<field>: <reason>"}`. The message names all invalid fields. A template sets another body (N80).',
    reason: 'The usual status; each path keeps the error shape that its documentation shows.',
    settings: {
      'errors.validationStatus': setting(z.int().min(400).max(499), 400, {
        allowed: 'a status from 400 to 499',
        scope: 'client',
      }),
    },
  },
  {
    n: 'N29',
    open: 'Unknown fields in a request body.',
    choice: 'Ignored; the request log has a warning with the nearest valid name.',
    reason: 'A service that may get new fields must ignore unknown ones; the warning still reveals typos.',
  },
  {
    n: 'N30',
    open: 'The unit of "50 characters".',
    choice: 'Unicode code points.',
    reason: 'This is what a person would count, apart from combining characters.',
  },
  {
    n: 'N31',
    open: 'Optional fields with the value `""` or `null`.',
    choice: '`""` counts as absent; `null` is invalid input.',
    reason: 'For signing, the API specification treats absent and empty alike; `null` is not a string.',
    settings: { 'validation.nullOptional': oneOf(['refuse', 'absent'], 'refuse', { scope: 'client' }) },
  },
  {
    n: 'N32',
    open: 'The syntax of `email` and `callbackUrl`.',
    choice:
      'An `email` has exactly one `@`, with text on both sides. A `callbackUrl` is absolute; ' +
      'its scheme is http, https or the scheme of an app, but none that runs or reads content ' +
      '(`javascript`, `vbscript`, `data`, `file`, `blob`). Control characters are invalid.',
    reason: 'This catches swapped fields, and keeps a browser that follows the URL from running a script.',
  },
  {
    n: 'N33',
    open: 'The answers 404, 405, 413, 415 and 500.',
    choice:
      '`{"error":"..."}`. A POST that is compressed or whose Content-Type is not JSON is 415, a body over 1 MiB 413, a wrong method 405 ' +
      'with `Allow`, an unknown path 404 with the nearest path. `errors.template` sets another body (N80).',
    reason: 'Plain HTTP, with a message that says what to change.',
    also: ['errors.template'],
  },
  {
    n: 'N34',
    open: 'Rate limits.',
    choice: 'None, unless you set some (N81). A fault can also answer 429 with `Retry-After`.',
    reason: 'The API specification shows no limit, and an unexpected limit would make tests flaky.',
    also: ['limits'],
  },
  {
    n: 'N35',
    open: 'The complete list of error codes, and the text of 9005.',
    choice:
      'The four documented ones; the text of 9005 is `Description not shown in the interface document`.',
    reason: 'An invented text could be mistaken for a real one.',
    settings: {
      'errors.catalog': setting(
        z.record(
          z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.-]{0,49}$/, 'expected an error code such as "9005"'),
          z.string().max(500),
        ),
        {},
        {
          allowed:
            'an object of codes and their descriptions, which extend or replace the four; `7001` keeps its printed text',
        },
      ),
    },
  },
] as const satisfies readonly Choice[]

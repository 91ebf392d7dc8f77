import * as z from 'zod'
import { errorPlaceholders, errorTemplate, fieldRules, ruleWords } from '../answers/error-body.ts'
import { limitPlaceholders, rateLimits } from '../answers/rate-limit.ts'
import { tokenErrorPlaceholders, tokenPlaceholders, tokenRoute } from '../answers/token-route.ts'
import type { Placeholders } from '../text/template.ts'
import { type Choice, setting } from './choice.ts'

/** Lists the placeholders of a template, as they are written. */
const namesOf = ({ values, lists = {} }: Placeholders): string => {
  const members = Object.entries(lists).flatMap(([list, kinds]) =>
    Object.keys(kinds).map((name) => `${list}.${name}`),
  )
  return [...Object.keys(values), ...members].map((name) => `\`\${${name}}\``).join(', ')
}

const errorStatus = z.string().regex(/^[45]\d\d$/, 'expected a status from 400 to 599')

/** Assumptions about tokens, error bodies and rate limits, in the words of a provider. */
export const callChoices = [
  {
    n: 'N78',
    open: 'The form in which a token is requested, answered and refused at your own path.',
    choice:
      'JSON, with the two fields of `auth.tokenRoute`. With `accepts`, the route also takes a form body (`form`, OAuth 2.0 ' +
      '`client_credentials`) or `Authorization: Basic` (`basic`). A form must have the `grant_type` of `grantType`, which is ' +
      '`client_credentials` unless set; other bodies only if `grantType` is set; `any` checks nothing. Credentials in both the header and the ' +
      `body are refused. \`answer\` is a template with ${namesOf(tokenPlaceholders)}; \`error\` one with ` +
      `${namesOf(tokenErrorPlaceholders)}, where the code is \`invalid_client\` (with the status \`refusedStatus\`), \`invalid_request\`, ` +
      '`unsupported_grant_type`, or a word for the status.',
    reason: 'The API specification shows no token call; OAuth 2.0 is the usual form (RFC 6749).',
    settings: {
      'auth.tokenRoute': setting(tokenRoute.nullable(), null, {
        allowed:
          'nothing, or `path` and optionally `accepts` (a list of `json`, `form`, `basic`), `clientIdField`, `apiSecretField`, ' +
          '`grantType`, `accessTokenField` and `expiresInField` or else `answer`, `error`, `refusedStatus`',
        scope: 'common',
      }),
    },
  },
  {
    n: 'N79',
    open: 'Whether a new token ends the earlier ones of its client.',
    choice:
      'No (N64b). With `auth.oneToken` it ends all tokens that the client has requested before; the token that the client ' +
      'has from the start stays valid.',
    reason: 'A request in progress is never cut off, unless your provider does that.',
    settings: {
      'auth.oneToken': setting(z.boolean(), false, {
        allowed: '`true` or `false`',
        values: [true, false],
        scope: 'client',
      }),
    },
  },
  {
    n: 'N80',
    open: 'The body of errors whose format the API specification does not show.',
    choice:
      'As in N28 and N33. `errors.template` replaces the body of invalid input, of 404, 405, 413, 415, 429 and of 5xx; ' +
      '`errors.validationTemplate` that of invalid input only. A failed verification and code `7001` keep their printed bodies. ' +
      `The templates can use ${namesOf(errorPlaceholders)}: an element of a list that names a problem is repeated for each ` +
      'problem. The code is the status in words, such as `not_found`, or your own from `errors.codes`; `errors.messages` replaces the message of a status in the same way. ' +
      `\`\${problems.rule}\` is ${fieldRules.map((rule) => `\`${rule}\``).join(', ')}, or your word from \`errors.rules\`, by rule or by field and ` +
      'rule (`fiatAmount.format`); `errors.reasons` sets the reasons in the same way. `${first.field}` is the field of the first problem.',
    reason: 'Providers word these errors in their own way, and applications parse them.',
    settings: {
      'errors.template': setting(errorTemplate.nullable(), null, {
        allowed: 'nothing, or JSON (or JSON text) with placeholders such as `${message}`',
        scope: 'client',
      }),
      'errors.validationTemplate': setting(errorTemplate.nullable(), null, {
        allowed: 'nothing, or JSON (or JSON text) with placeholders such as `${problems.field}`',
        scope: 'client',
      }),
      'errors.codes': setting(
        z.record(errorStatus, z.union([z.string().min(1).max(100), z.int()])),
        {},
        {
          allowed: 'an object of statuses from 400 to 599 and the `${code}` for each, a text or a number',
          scope: 'client',
        },
      ),
      'errors.rules': setting(
        ruleWords,
        {},
        {
          allowed:
            'an object of rules and their words, such as `{ required: missing, fiatAmount.format: decimals }`',
          scope: 'client',
        },
      ),
      'errors.reasons': setting(
        ruleWords,
        {},
        {
          allowed: 'an object of rules and their reasons, as in `errors.rules`',
          scope: 'client',
        },
      ),
      'errors.messages': setting(
        z.record(errorStatus, z.string().min(1).max(500)),
        {},
        {
          allowed: 'an object of statuses from 400 to 599 and the `${message}` for each',
          scope: 'client',
        },
      ),
    },
  },
  {
    n: 'N81',
    open: 'Rate limits, for a provider that has some.',
    choice:
      'None (N34). A limit allows `max` calls `per` time of the operations `on`, in the words of faults, for each client on its ' +
      'clock. Its window begins with the first call and ends a fixed time later. A call beyond it is answered 429 with ' +
      '`Retry-After` in seconds, before anything is checked but its token; it counts for no limit and meets no fault. ' +
      `\`headers\` are sent with every answer to a known client, with ${namesOf(limitPlaceholders)}. ` +
      'With `each: token` each access token has a window of its own; `retryAfter: false` leaves that header out. Windows are in memory: a reset of ' +
      'the client, a restored snapshot and a restart begin new ones.',
    reason: 'A fixed window is the commonest form, and a test can tell its end exactly.',
    settings: {
      limits: setting(rateLimits, [], {
        allowed: 'a list of at most 20 entries with `on`, `max`, `per` and optionally `headers`',
        scope: 'client',
      }),
    },
  },
] as const satisfies readonly Choice[]

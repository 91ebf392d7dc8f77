import { grantProblem, tokenRoute as tokenRouteSchema } from '../../../domain/answers/token-route.ts'
import { placeIn } from '../../calls/answers.ts'
import { matchTemplate } from '../../calls/error-match.ts'
import { type IssuedToken, issuedTokens } from '../../calls/issued-tokens.ts'
import { invertAnswers, invertTokenErrors, type TokenAnswer } from '../../calls/token-answers.ts'
import { type TokenRequest, tokenRequest } from '../../calls/token-requests.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Finding } from '../../elimination/finding.ts'
import type { Evidence, TokenCall } from '../../evidence/evidence.ts'
import { fieldsOf } from '../../evidence/read-call.ts'
import type { Rule } from '../rule.ts'

/** The route of access tokens: its path, the form of its requests and its answers (N64a, N78). What it accepts besides
 *  does not show, so that it is likely at most. */
export const tokenRoute: Rule = {
  settings: ['auth.tokenRoute'],
  learn: (evidence, { claims }) => {
    const issued = requestsOf(evidence)
    const value = routeOf(issued, evidence)
    const finding = eliminate(
      {
        setting: 'auth.tokenRoute',
        candidates: value === null ? [] : [value],
        sights: issued.map(sightOf),
        isOpen: true,
        evidence: (_, count) =>
          `${count} tokens were issued at ${issued[0]?.one.call.path}, by ${formsOf(issued).join(', ')}`,
        nothing: evidence.tokenCalls.some(isOwnPath)
          ? `all tokens come from ${ownPath}, which is always served`
          : 'the capture shows no token being issued',
        decide: 'token requests in each of the forms JSON, form and Basic, and one with a wrong secret',
      },
      claims,
    )
    return [weakened(finding, value)]
  },
  unexplained: (evidence) => {
    const issued = requestsOf(evidence)
    const [first] = issued
    if (first === undefined || routeOf(issued, evidence) !== null) return []
    const { method, path, source, status } = first.one.call
    return [
      {
        what: `the token route ${method} ${path}`,
        count: issued.length,
        of: null,
        example: `${method} ${path} answers ${status} with the fields ${Object.keys(fieldsOf(first.one.call.output)).join(', ')}`,
        source,
      },
    ]
  },
}

/** The emulator's own path, which needs no setting. */
const ownPath = '/_emulator/access-token'
const isOwnPath = ({ path }: TokenCall): boolean => path.endsWith(ownPath)

interface Issued {
  /** The path of the route, without what a gateway put in front. */
  readonly path: string
  readonly one: IssuedToken
  readonly request: TokenRequest
}

function requestsOf(evidence: Evidence): Issued[] {
  return issuedTokens(evidence).flatMap((one) => {
    const request = isOwnPath(one.call) ? null : tokenRequest(one, evidence.secrets)
    return request === null ? [] : [{ path: servicePath(one.call, evidence), one, request }]
  })
}

/** The path below the base URL, which the paths of the other calls show. */
function servicePath({ path, origin }: TokenCall, { calls }: Evidence): string {
  const other = calls.find((call) => call.origin === origin)
  const base = /^(.*)\/v1\/client\//.exec(other?.path ?? '')?.[1] ?? ''
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path
}

const formsOf = (issued: readonly Issued[]): string[] => [
  ...new Set(issued.map(({ request }) => request.form)),
]

/** The setting that explains the requests and their answers, as a settings file writes it; null for none. */
function routeOf(issued: readonly Issued[], { tokenCalls }: Evidence): object | null {
  const [path, ...others] = new Set(issued.map((each) => each.path))
  if (path === undefined || others.length > 0) return null
  const answer = invertAnswers(
    issued.map(({ one, request }) => ({
      call: one.call,
      clientId: one.clientId,
      scope: request.fields.scope,
    })),
  )
  if (answer === undefined) return null
  const refused = tokenCalls.filter(
    (call) =>
      call.path.endsWith(path) && call.token === null && isClientError(call) && call.output !== undefined,
  )
  const accepts = formsOf(issued)
  const value = {
    path,
    ...((accepts.length > 1 || accepts[0] !== 'json') && { accepts }),
    ...namesIn(issued),
    ...grantIn(issued),
    ...answerIn(answer),
    ...errorIn(refused),
  }
  return tokenRouteSchema.safeParse(value).success ? value : null
}

const isClientError = ({ status }: TokenCall): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 429

function namesIn(issued: readonly Issued[]): object {
  const inBody = issued.map(({ request }) => request).find(({ clientIdField }) => clientIdField !== null)
  const { clientIdField = null, apiSecretField = null } = inBody ?? {}
  return {
    ...(clientIdField !== null && clientIdField !== 'clientId' && { clientIdField }),
    ...(apiSecretField !== null && apiSecretField !== 'apiSecret' && { apiSecretField }),
  }
}

/** A grant type that a form does not need by itself. */
function grantIn(issued: readonly Issued[]): object {
  const inForms = issued.filter(({ request }) => request.form === 'form')
  const grants = new Set(inForms.map(({ request }) => request.fields.grant_type ?? ''))
  const [grantType = 'client_credentials'] = grants
  if (grantType === 'client_credentials' && grants.size < 2) return {}
  return { grantType: grants.size > 1 || grantType === '' ? 'any' : grantType }
}

/** Flat answers have settings for their two names. */
function answerIn(answer: unknown): object {
  const names = Object.entries(fieldsOf(answer))
  const token = names.find(([, value]) => value === '${accessToken}')?.[0]
  const seconds = names.find(([, value]) => value === '${expiresIn}')?.[0]
  if (names.length !== 2 || token === undefined || seconds === undefined) return { answer }
  return {
    ...(token !== 'accessToken' && { accessTokenField: token }),
    ...(seconds !== 'expiresIn' && { expiresInField: seconds }),
  }
}

function errorIn(refused: readonly TokenCall[]): object {
  const answers = refused.map((call): TokenAnswer => ({ call, clientId: null, scope: undefined }))
  const isUsual = refused.every(
    ({ output }) =>
      typeof fieldsOf(output).error === 'string' &&
      Object.keys(fieldsOf(output)).length === 1 &&
      /\s/.test(String(fieldsOf(output).error)),
  )
  const error = isUsual ? undefined : invertTokenErrors(answers)
  const wrong = refused.find(({ response }) => /invalid_client|verification failed/.test(response ?? ''))
  return {
    ...(error !== undefined && typeof error === 'object' && { error }),
    ...(wrong !== undefined && wrong.status !== 401 && { refusedStatus: wrong.status }),
  }
}

/** A route must accept the request and give the answer. */
function sightOf({ path: called, one, request }: Issued): Sight {
  const { call } = one
  return {
    source: call.source,
    unit: placeIn(call),
    words: `a token was issued at ${call.path} by ${request.form}`,
    allows: (value) => {
      const route = tokenRouteSchema.safeParse(value)
      if (!route.success) return false
      const { path, accepts, clientIdField, apiSecretField, answer } = route.data
      const isForm = request.form === 'form'
      const isNamed =
        request.form === 'basic' ||
        (request.fields[clientIdField] !== undefined && request.fields[apiSecretField] !== undefined)
      return (
        path === called &&
        accepts.includes(request.form) &&
        isNamed &&
        grantProblem(route.data, request.fields.grant_type, isForm) === null &&
        matchTemplate(answer, call.output, /^scope$/) !== null
      )
    },
  }
}

function weakened(finding: Finding, value: object | null): Finding {
  if (value === null) {
    if (finding.state !== 'contradictory') return finding
    const evidence = 'no value explains the path, the requests and the answers of the token route'
    return { ...finding, state: 'unknown', evidence, left: [] }
  }
  if (finding.state !== 'known') return finding
  const evidence = `${finding.evidence}; whether it accepts other forms does not show`
  const decide = 'token requests in each of the forms JSON, form and Basic, and one with a wrong secret'
  return { ...finding, state: 'likely', evidence, decide }
}

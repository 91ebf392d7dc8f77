import { pagePath } from '../../../domain/choices/choice.ts'
import { isUrl } from '../../../domain/text/urls.ts'
import { acceptedValue } from '../../answers/accepted-value.ts'
import { type CreateAnswer, createAnswers, furtherTexts } from '../../answers/create-answers.ts'
import { textIn } from '../../answers/records.ts'
import { eliminate, type Sight } from '../../elimination/eliminate.ts'
import type { Claims, Finding } from '../../elimination/finding.ts'
import type { Call } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** The field of the URL that `mode` asks for (N7), and the form of a payment page's URL (N8). */
export const paymentUrls: Rule = {
  settings: ['responses.urlField', 'publicBaseUrl', 'paths.paymentPage'],
  learn: (evidence, { claims }) => {
    const answers = createAnswers(evidence)
    const pages = answers.flatMap(pageIn)
    const base = baseFinding(pages, claims)
    return [fieldFinding(answers, claims), base, pageFinding(pages, base, claims)]
  },
}

const anUrl = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i

/** The fields with a URL, by path. */
function urlsIn({ answer }: CreateAnswer): Map<string, string> {
  return new Map([...furtherTexts(answer)].filter(([, text]) => anUrl.test(text)))
}

function fieldFinding(answers: readonly CreateAnswer[], claims: Claims): Finding {
  const asked = answers.filter(({ request }) => textIn(request, 'mode') !== undefined)
  const sights = asked.flatMap((one): Sight[] => {
    const names = [...urlsIn(one).keys()]
    if (names.length === 0) return []
    const words = `with \`mode\`, the answer has a URL in ${names.map((name) => `\`${name}\``).join(', ')}`
    return [{ ...about(one), words, allows: (value) => names.some((name) => name === value) }]
  })
  const candidates = [...new Set(asked.flatMap((one) => [...urlsIn(one).keys()]))]
  const isAmbiguous = candidates.filter((name) => sights.every(({ allows }) => allows(name))).length > 1
  return eliminate(
    {
      setting: 'responses.urlField',
      candidates,
      // A URL that is there without a `mode` too is another one; needed only to choose.
      sights: isAmbiguous ? [...sights, ...answers.flatMap(unasked)] : sights,
      isOpen: true,
      evidence: (value, count) => `\`${value}\` has the URL in ${count} answers to requests with \`mode\``,
      decide: 'two create calls with `mode`, and one without',
    },
    claims,
  )
}

function unasked(one: CreateAnswer): Sight[] {
  const names = [...urlsIn(one).keys()]
  if (one.request.mode !== undefined || names.length === 0) return []
  const words = `without \`mode\`, the answer has a URL in ${names.map((name) => `\`${name}\``).join(', ')}`
  return [{ ...about(one), words, allows: (value) => !names.some((name) => name === value) }]
}

const about = ({ call, order }: CreateAnswer) => ({ source: call.source, unit: order.requestId })

/** The URL of a payment page without its token, and the addresses at which the caller can have reached the service. */
interface SeenPage extends Pick<Sight, 'source' | 'unit'> {
  readonly pages: string
  readonly origins: readonly string[]
}

function pageIn(one: CreateAnswer): SeenPage[] {
  if (one.request.mode !== 'returnUrl') return []
  const urls = new Set([...urlsIn(one).values()].filter((url) => /^https?:/.test(url)))
  const [url, ...others] = [...urls].filter((each) => each.endsWith(`/${one.token}`))
  if (url === undefined || others.length > 0) return []
  return [{ ...about(one), pages: url.slice(0, -one.token.length - 1), origins: originsOf(one.call) }]
}

/** Behind a proxy, the header `Host` can name another address than the capture. */
function originsOf({ origin, headers: { host } }: Call): string[] {
  const schemes = origin === null ? ['http', 'https'] : [origin.split(':')[0]]
  const named = host === undefined ? [] : schemes.map((scheme) => `${scheme}://${host}`)
  return [...new Set([...(origin === null ? [] : [origin]), ...named])]
}

const isPage = (path: string): boolean => pagePath.safeParse(path).success

/** The paths of pages under a base; null stands for the address of the caller. */
function pagesUnder(base: string | null, { pages, origins }: SeenPage): string[] {
  // Without any address of the caller, its base can be every one.
  const bases = base !== null ? [base] : origins.length > 0 ? origins : basesOf(pages)
  return bases
    .filter((each) => pages.startsWith(each))
    .map((each) => pages.slice(each.length))
    .filter(isPage)
}

/** All bases that the URL of a page can begin with. */
function basesOf(pages: string): string[] {
  if (!isUrl(pages)) return []
  const start = pages.indexOf('/', pages.indexOf('//') + 2)
  const ends = [...pages.matchAll(/\//g)].map(({ index }) => index).filter((index) => index >= start)
  return start < 0
    ? []
    : ends.map((end) => pages.slice(0, end)).filter((base) => isPage(pages.slice(base.length)))
}

function baseFinding(seen: readonly SeenPage[], claims: Claims): Finding {
  const sights = seen.map(
    (page): Sight => ({
      ...page,
      words: `the payment page is under ${page.pages}`,
      allows: (value) => {
        const base = acceptedValue('publicBaseUrl', value)
        return base !== undefined && pagesUnder(base, page).length > 0
      },
    }),
  )
  return eliminate(
    {
      setting: 'publicBaseUrl',
      candidates: [null, ...new Set(seen.flatMap(({ pages }) => basesOf(pages)))],
      sights,
      isOpen: true,
      evidence: (value, count) =>
        value === null
          ? `the payment pages of ${count} orders are at the address that the caller used`
          : `the payment pages of ${count} orders are under ${value}`,
      decide: 'create calls with `mode: returnUrl` through another address of the service',
    },
    claims,
  )
}

function pageFinding(seen: readonly SeenPage[], base: Finding, claims: Claims): Finding {
  const known = base.state === 'known' || base.state === 'likely' ? [base.value] : base.left
  const bases = (page: SeenPage): (string | null)[] => {
    const possible = known.filter((each) => each === null || typeof each === 'string')
    return possible.length > 0 ? possible : basesOf(page.pages)
  }
  const paths = (page: SeenPage) => bases(page).flatMap((each) => pagesUnder(each, page))
  return eliminate(
    {
      setting: 'paths.paymentPage',
      candidates: seen.flatMap(paths),
      sights: seen.map((page) => ({
        ...page,
        words: `the payment page is under ${page.pages}`,
        allows: (value) => paths(page).some((path) => path === value),
      })),
      isOpen: true,
      evidence: (value, count) => `the payment pages of ${count} orders are under ${value}`,
      decide: 'create calls with `mode: returnUrl` through another address of the service',
    },
    claims,
  )
}

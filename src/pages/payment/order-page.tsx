import { Details, Facts } from './facts.tsx'
import { amountText } from './language.ts'
import { Layout } from './layout.tsx'
import { Offer } from './offer.tsx'
import type { PageView } from './view.ts'

/** The payment page of an order, as HTML.
 *  @param assets see `Layout` */
export function orderPage(view: PageView, assets: string): string {
  return `<!doctype html>${<OrderPage view={view} assets={assets} />}`
}

function OrderPage({ view, assets }: { view: PageView; assets: string }) {
  const { order, state, language, clock, isTooLate } = view
  const { words } = language
  return (
    <Layout
      language={language}
      assets={assets}
      title={
        state === 'open'
          ? words.pay(amountText(order.fiatAmount, order.currencyId, language))
          : words.ends[state].title
      }
      refreshSeconds={refreshSeconds[state]}
    >
      <main
        class={`payment-card payment-${state}`}
        data-state={state}
        data-status={order.orderStatus}
        data-now={clock.now}
        data-speed={clock.speed}
        data-expires-at={order.expiresAt}
      >
        {isTooLate && (
          <p class="note other" role="status">
            {words.tooLate}
          </p>
        )}
        {state === 'open' ? <Offer view={view} /> : <End view={view} state={state} />}
        <Details view={view} />
      </main>
    </Layout>
  )
}

/** A browser without scripts asks again: soon where the order goes on by itself. */
const refreshSeconds: Readonly<Record<PageView['state'], number | null>> = {
  open: 30,
  paid: 3,
  completed: null,
  failed: null,
  abandoned: 30,
  expired: 30,
  charged: null,
  'no-payer': null,
}

/** What there is to see where nothing can be paid (any more). */
function End({ view, state }: { view: PageView; state: Exclude<PageView['state'], 'open'> }) {
  const { order, language, back } = view
  const { title, text } = language.words.ends[state]
  const { errorReason } = order
  return (
    <>
      <p class="payment-mark" aria-hidden="true">
        {marks[state]}
      </p>
      <h1>{title}</h1>
      <p>{text}</p>
      {errorReason !== null && (
        <p class="note bad">
          <strong>{errorReason.errorCode}</strong> <span lang="en">{errorReason.errorDesc}</span>
        </p>
      )}
      <Facts view={view} />
      {goesBack.has(state) && <WayBack view={view} back={back} />}
    </>
  )
}

const marks: Readonly<Record<Exclude<PageView['state'], 'open'>, string>> = {
  paid: '…',
  completed: '✓',
  failed: '✕',
  abandoned: '↩',
  expired: '⏱',
  charged: '↻',
  'no-payer': '–',
}

/** The browser goes back after success and after failure (N56); the way stays open for whoever comes here later. */
const goesBack: ReadonlySet<PageView['state']> = new Set(['paid', 'completed', 'failed'])

function WayBack({ view: { order, language }, back }: { view: PageView; back: string | null }) {
  const { callbackUrl } = order.request
  if (back !== null) {
    return (
      <p>
        <a class="button primary payment-back" href={back}>
          {language.words.backToShop}
        </a>
      </p>
    )
  }
  if (callbackUrl === undefined) return <p class="hint">{language.words.noWayBack}</p>
  return (
    <p class="hint">
      {language.words.wrongWayBack} <code>{callbackUrl}</code>
    </p>
  )
}

import type { Child } from 'hono/jsx'
import { appUrl } from '../../domain/order/payment-urls.ts'
import { trialMs } from '../../domain/order/subscription.ts'
import { amountText, daysText, type Language, languageOf, momentText } from './language.ts'
import { Layout, Mark } from './layout.tsx'
import { leadsToWeb, type PageView, paceText, waitingPath } from './view.ts'

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
          : endOf(view, state).title
      }
      refresh={refreshOf(view)}
    >
      <main
        class={`payment-card payment-${state}`}
        data-state={state}
        data-status={order.orderStatus}
        data-now={clock.now}
        data-speed={clock.speed}
        data-expires-at={order.expiresAt}
        data-back={leadsToWeb(view.back) ? 'web' : undefined}
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

/** A browser without scripts reloads when the order moves by itself; never while a payer may be choosing. */
function refreshOf({ state, order }: PageView): string | null {
  if (state === 'paid') return order.nextDueAt === null ? null : `3; url=${waitingPath(order)}`
  return state === 'abandoned' || state === 'expired' ? '30' : null
}

/** The part of the payment page that says that nothing can be paid any more. */
function End({ view, state }: { view: PageView; state: Exclude<PageView['state'], 'open'> }) {
  const { order } = view
  const { title, text } = endOf(view, state)
  const { errorReason } = order
  return (
    <>
      <Mark of={state} />
      <h1>{title}</h1>
      <p>{text}</p>
      {errorReason !== null && (
        <p class="note bad">
          <strong>{errorReason.errorCode}</strong> <span lang="en">{errorReason.errorDesc}</span>
        </p>
      )}
      <Facts view={view} />
      {goesBack.has(state) ? <WayBack view={view} /> : <ShopLink view={view} />}
    </>
  )
}

/** Returns the outcome of the order in words. */
function endOf({ order, language: { words } }: PageView, state: Exclude<PageView['state'], 'open'>) {
  if (state === 'abandoned' && order.paidAt !== null) return words.abandonedThough
  if (state === 'paid' && order.nextDueAt === null) return { ...words.ends.paid, text: words.nothingMore }
  return words.ends[state]
}

/** After success and failure, the browser returns to the shop (N56); a link stays on the page. */
const goesBack: ReadonlySet<PageView['state']> = new Set(['paid', 'completed', 'failed'])

function WayBack({ view }: { view: PageView }) {
  const { order, language, back } = view
  const { callbackUrl } = order.request
  if (back !== null) return <ShopLink view={view} />
  if (callbackUrl === undefined) return <p class="hint">{language.words.noWayBack}</p>
  return (
    <p class="hint">
      {language.words.wrongWayBack} <code>{callbackUrl}</code>
    </p>
  )
}

/** A link back to the shop, also for a payer who is too late: on a phone there may be no other way. */
function ShopLink({ view: { language, back } }: { view: PageView }) {
  if (back === null) return null
  return (
    <p>
      <a class="button primary payment-back" href={back}>
        {language.words.backToShop}
      </a>
    </p>
  )
}

/** The buttons of the payer: pay, fail, leave, or wait. */
function Offer({ view }: { view: PageView }) {
  const { order, language } = view
  const { words } = language
  const amount = amountText(order.fiatAmount, order.currencyId, language)
  return (
    <>
      <h1 class="payment-amount">
        <span>{words.toPay}</span> {amount}
      </h1>
      <Facts view={view} />
      <Timer view={view} />
      <form method="post">
        <button type="submit" class="button primary" name="outcome" value="completed">
          {order.kind === 'subscription' ? words.subscribe : words.pay(amount)}
        </button>
      </form>
      <div class="payment-else">
        <Decline view={view} />
        <form method="post">
          <h2>{words.wait.title}</h2>
          <p class="hint">{words.wait[ifNothingIsDone(view)]}</p>
          <button type="submit" class="button" name="outcome" value="abandoned">
            {words.leave}
          </button>
        </form>
      </div>
    </>
  )
}

function Decline({ view: { language, codes } }: { view: PageView }) {
  const { words } = language
  return (
    <form method="post">
      <h2>{words.declined.title}</h2>
      <p class="hint">{words.declined.text}</p>
      <label for="code">{words.errorCode}</label>
      <select id="code" name="errorCode" aria-describedby="codes">
        {codes.map(({ errorCode }) => (
          <option value={errorCode}>{errorCode}</option>
        ))}
      </select>
      <ul id="codes" class="hint" lang="en">
        {codes.map(({ errorCode, errorDesc }) => (
          <li>
            <strong>{errorCode}</strong> {errorDesc}
          </li>
        ))}
      </ul>
      <button type="submit" class="button danger" name="outcome" value="failed">
        {words.decline}
      </button>
    </form>
  )
}

/** Counts down on the client's clock. Without a script it shows the time of expiry. */
function Timer({ view: { order, language, clock } }: { view: PageView }) {
  const { words } = language
  const pace = paceText(clock, language)
  return (
    <div class="payment-timer">
      <p>
        <span>{words.validUntil}</span>{' '}
        <time datetime={new Date(order.expiresAt).toISOString()}>
          {momentText(order.expiresAt, clock.now, language)}
        </time>
      </p>
      <p id="countdown" hidden>
        <span>{words.timeLeft}</span> <strong role="timer"></strong>
      </p>
      <p class="hint" id="again">
        <a href={waitingPath(order)}>{words.lookAgain}</a>
      </p>
      <p class="hint" id="pace" hidden={pace === ''}>
        {pace}
      </p>
    </div>
  )
}

/** The result of waiting (N12), and whether the scenario continues before that. */
function ifNothingIsDone({ order }: PageView): 'keep' | 'fail' | 'abandon' | 'goesOn' {
  const { nextDueAt, expiresAt, terms } = order
  return nextDueAt !== null && nextDueAt < expiresAt ? 'goesOn' : terms.onExpiry
}

/** A page about a problem. It belongs to no order, so it is in English.
 *  @param assets see `Layout` */
export function problemPage(problem: { title: string; text: string }, assets: string): string {
  return `<!doctype html>${<ProblemPage {...problem} assets={assets} />}`
}

function ProblemPage({ title, text, assets }: { title: string; text: string; assets: string }) {
  return (
    <Layout language={languageOf('en')} assets={assets} title={title} refresh={null}>
      <main class="payment-card payment-problem">
        <Mark of="problem" />
        <h1>{title}</h1>
        <p>{text}</p>
      </main>
    </Layout>
  )
}

/** The facts about the order for the payer. The merchant's texts may be in any language. */
function Facts({ view }: { view: PageView }) {
  const { order, state, language } = view
  const { words } = language
  const { userMessage, requestDescription, paymentMethodId, interval, mode } = order.request
  return (
    <>
      {userMessage !== undefined && (
        <p class="payment-message" dir="auto">
          {userMessage}
        </p>
      )}
      {requestDescription !== undefined && (
        <p class="payment-description" dir="auto">
          {requestDescription}
        </p>
      )}
      <dl class="payment-rows">
        {state !== 'open' && (
          <Fact name={words.amount}>{amountText(order.fiatAmount, order.currencyId, language)}</Fact>
        )}
        {paymentMethodId !== undefined && <Fact name={words.method}>{paymentMethodId}</Fact>}
        {order.kind === 'subscription' && (
          <Fact name={words.interval}>{intervalText(interval, language)}</Fact>
        )}
        {trialMs(order) > 0 && <Fact name={words.trial}>{daysText(trialMs(order) / dayMs, language)}</Fact>}
      </dl>
      {mode === 'returnAppUrl' && <App view={view} />}
    </>
  )
}

/** The app that would open on the payer's phone (R35). */
function App({ view: { order, language } }: { view: PageView }) {
  const { words } = language
  const { targetApp, deviceContext } = order.request
  return (
    <section class="payment-app">
      <h2>{words.app.title}</h2>
      <p>{words.app.text}</p>
      <dl class="payment-rows">
        <Fact name={words.targetApp}>{targetApp ?? '–'}</Fact>
        <Fact name={words.device}>{deviceContext?.deviceOS ?? '–'}</Fact>
        <Fact name={words.appUrl}>
          <code>{appUrl(order)}</code>
        </Fact>
      </dl>
    </section>
  )
}

/** The facts about an order for testers, in the terms of the service. */
function Details({ view: { order, language } }: { view: PageView }) {
  return (
    <details class="payment-details">
      <summary>{language.words.details}</summary>
      <dl class="payment-rows">
        <Fact name="requestId">{order.requestId}</Fact>
        <Fact name="orderId">{order.orderId}</Fact>
        <Fact name="orderStatus">{order.orderStatus}</Fact>
        <Fact name="fiatAmount">{order.fiatAmount}</Fact>
        <Fact name="currencyId">{order.currencyId}</Fact>
        <Fact name="scenario">{order.scenario.id}</Fact>
        {order.request.callbackUrl !== undefined && (
          <Fact name="callbackUrl">{order.request.callbackUrl}</Fact>
        )}
      </dl>
    </details>
  )
}

function Fact({ name, children }: { name: string; children?: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function intervalText(interval: string | undefined, { words }: Language): string {
  const known = Object.entries(words.every).find(([name]) => name === interval)
  return known?.[1] ?? interval ?? words.every.MONTHLY
}

const dayMs = 86_400_000

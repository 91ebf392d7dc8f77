import type { Child } from 'hono/jsx'
import { appUrl } from '../../domain/order/payment-urls.ts'
import { trialMs } from '../../domain/order/subscription.ts'
import { amountText, daysText, type Language } from './language.ts'
import type { PageView } from './view.ts'

/** The facts about the order for the payer. The merchant's texts may be in any language. */
export function Facts({ view }: { view: PageView }) {
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

/** Facts for testers, in the service's terms. */
export function Details({ view: { order, language } }: { view: PageView }) {
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

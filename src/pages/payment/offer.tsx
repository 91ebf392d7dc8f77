import { Facts } from './facts.tsx'
import { amountText, momentText, numberText } from './language.ts'
import type { PageView } from './view.ts'

/** What a payer can do: pay, fail, leave, or wait. */
export function Offer({ view }: { view: PageView }) {
  const { order, language, codes } = view
  const { words } = language
  const amount = amountText(order.fiatAmount, order.currencyId, language)
  return (
    <>
      <h1 class="payment-amount">
        <span>{words.amount}</span> {amount}
      </h1>
      <Facts view={view} />
      <Timer view={view} />
      <form method="post">
        <button type="submit" class="payment-pay" name="outcome" value="completed">
          {order.kind === 'subscription' ? words.subscribe : words.pay(amount)}
        </button>
      </form>
      <section class="payment-else">
        <form method="post" class="payment-decline">
          <h2>{words.declined.title}</h2>
          <p>{words.declined.text}</p>
          <label for="code">{words.errorCode}</label>
          <div>
            <select id="code" name="errorCode">
              {codes.map(({ errorCode, errorDesc }) => (
                <option value={errorCode} lang="en">
                  {errorCode}: {errorDesc}
                </option>
              ))}
            </select>
            <button type="submit" name="outcome" value="failed">
              {words.decline}
            </button>
          </div>
        </form>
        <h2>{words.wait.title}</h2>
        <p>{words.wait[ifNothingIsDone(view)]}</p>
        <form method="post">
          <button type="submit" class="payment-leave" name="outcome" value="abandoned">
            {words.leave}
          </button>
        </form>
      </section>
    </>
  )
}

/** Counts down on the client's clock. Without a script only the moment stands there, which is as true. */
function Timer({ view: { order, language, clock } }: { view: PageView }) {
  const { words } = language
  const { speed } = clock
  return (
    <div class="payment-timer">
      <p>
        <span>{words.validUntil}</span>{' '}
        <time datetime={new Date(order.expiresAt).toISOString()}>
          {momentText(order.expiresAt, language)}
        </time>
      </p>
      <p id="countdown" hidden>
        <span>{words.timeLeft}</span> <strong role="timer"></strong>
      </p>
      {speed === 0 && <p class="payment-hint">{words.clockStands}</p>}
      {speed !== 0 && speed !== 1 && (
        <p class="payment-hint">{words.clockRuns(numberText(speed, language))}</p>
      )}
    </div>
  )
}

/** What waiting leads to (N12), and whether the scenario goes on before. */
function ifNothingIsDone({ order }: PageView): 'keep' | 'fail' | 'abandon' | 'goesOn' {
  const { nextDueAt, expiresAt, terms } = order
  return nextDueAt !== null && nextDueAt < expiresAt ? 'goesOn' : terms.onExpiry
}

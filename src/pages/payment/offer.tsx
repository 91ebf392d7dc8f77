import { Facts } from './facts.tsx'
import { amountText, momentText } from './language.ts'
import { type PageView, paceText, waitingPath } from './view.ts'

/** What a payer can do: pay, fail, leave, or wait. */
export function Offer({ view }: { view: PageView }) {
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

/** Counts down on the client's clock. Without a script only the moment stands there, which is as true. */
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

/** What waiting leads to (N12), and whether the scenario goes on before. */
function ifNothingIsDone({ order }: PageView): 'keep' | 'fail' | 'abandon' | 'goesOn' {
  const { nextDueAt, expiresAt, terms } = order
  return nextDueAt !== null && nextDueAt < expiresAt ? 'goesOn' : terms.onExpiry
}

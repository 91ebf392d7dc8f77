import type { z } from 'zod'
import type { client as clientShape } from '../../../control/shapes/client.ts'
import type { delivery as deliveryShape } from '../../../control/shapes/delivery.ts'
import type { Settings } from '../../../domain/choices/settings.ts'
import { exactUrl, headerOption } from '../../../domain/text/shell.ts'
import { overrideOf } from '../../../domain/webhook/faults/attempt-faults.ts'
import { memberSource, withBody } from '../../framework/action.ts'
import { Curl } from '../../framework/form.tsx'
import { BodyText, byteWords, LongText } from '../../framework/long-text.tsx'
import { HeaderTable, Moment, Status } from '../../framework/parts.tsx'
import { deliveryPath, linkTo, type Shell } from '../../framework/view.ts'
import { faultWords, plannedFaultIds } from './fault-words.ts'
import { VerificationSteps, verificationOf } from './verification-steps.tsx'

type Delivery = z.output<typeof deliveryShape>
type Attempt = Delivery['attempts'][number]

/** The attempts of a delivery, with the selected one. */
export function AttemptTable({
  shell,
  delivery: { id, attempts, plan },
  chosen,
}: {
  shell: Shell
  delivery: Delivery
  chosen: number | undefined
}) {
  if (attempts.length === 0) return <p class="hint">Nothing has been sent yet.</p>
  const linkOf = (n: number) => `${linkTo(shell, deliveryPath(id), { attempt: String(n) })}#attempt`
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">Client’s clock</th>
          <th scope="col">Wall-clock time</th>
          <th scope="col">Outcome</th>
          <th scope="col">Answer</th>
          <th scope="col">Took</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <tr id={`attempt-${attempt.n}`}>
            <td data-label="Attempt">
              <a href={linkOf(attempt.n)} aria-current={attempt.n === chosen ? 'true' : undefined}>
                {attempt.n}
              </a>
            </td>
            <td data-label="Client’s clock">
              <Moment at={attempt.at} />
            </td>
            <td data-label="Wall-clock time">
              <Moment at={attempt.wallAt} />
            </td>
            <td data-label="Outcome">
              <Outcome plan={plan} attempt={attempt} />
            </td>
            <td data-label="Answer">{overrideOf(plan, attempt) === null ? answerWords(attempt) : null}</td>
            <td data-label="Took" class="number">
              {attempt.ms === null ? '–' : `${attempt.ms} ms`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Outcome({ plan, attempt }: { plan: Delivery['plan']; attempt: Attempt }) {
  const override = overrideOf(plan, attempt)
  return override === null ? <Status of={attempt.outcome} /> : <Overridden words={override} />
}

/** Marks an outcome that the scenario, not the endpoint, decided. */
export const Overridden = ({ words }: { words: string }) => <span class="status waiting wraps">{words}</span>

interface DetailProps {
  readonly shell: Shell
  readonly delivery: Delivery
  readonly attempt: Attempt
  readonly client: z.output<typeof clientShape>
  readonly signing: Settings
  /** A link to the full JSON of the attempt. */
  readonly whole: string
}

/** One attempt: its faults, request, answer, verification, and the command that repeats it. */
export function AttemptDetail({ shell, delivery, attempt, client, signing, whole }: DetailProps) {
  const { n, url, requestHeaders: headers, bodyText } = attempt
  const body = bodyText ?? delivery.bodyText
  const faults = faultWords(delivery.plan, n)
  const source = memberSource(`${shell.origin}${whole}`, `.attempts[${n - 1}].bodyText // .bodyText`, shell)
  const wasSent = Object.keys(headers).length > 0
  return (
    <>
      <h2 id="attempt">Attempt {n}</h2>
      {faults.length === 0 ? null : <Misbehaviour shell={shell} delivery={delivery} sentences={faults} />}
      <div class="beside">
        <section aria-label="What was sent">
          <h3>Sent</h3>
          <p class="mono">POST {url}</p>
          <HeaderTable headers={headers} caption="Headers" />
        </section>
        <Answer plan={delivery.plan} attempt={attempt} whole={whole} />
      </div>
      {bodyText === undefined ? null : (
        <>
          <h3>The body that was actually sent</h3>
          <p class="hint">{byteWords(bodyText)}</p>
          <BodyText id="sent-text" text={bodyText} whole={whole} />
        </>
      )}
      {wasSent ? (
        <>
          <h2 id="verify">Verify the signature</h2>
          <VerificationSteps
            shell={shell}
            verification={verificationOf(
              { ...attempt, headers, body, clientId: delivery.clientId },
              client,
              signing,
            )}
          />
          <h2 id="repeat">Send these bytes yourself</h2>
          <p class="hint">Same headers, same signature: your receiver gets exactly this request again.</p>
          <Curl id="repeat-command" text={sentAgain({ url, headers, body }, source)} />
        </>
      ) : null}
    </>
  )
}

function Answer({ plan, attempt, whole }: Pick<DetailProps, 'attempt' | 'whole'> & Pick<Delivery, 'plan'>) {
  const { responseBody, status, error } = attempt
  const override = overrideOf(plan, attempt)
  return (
    <section aria-label="Answer">
      <h3>Answer</h3>
      {override === null ? (
        <p>
          {status === null ? 'No answer.' : `Status ${status}.`} {error}
        </p>
      ) : (
        <p>
          <Overridden words={override} />
        </p>
      )}
      {status !== null && !responseBody ? <p class="hint">The body was empty.</p> : null}
      {responseBody ? <LongText id="answer-text" text={responseBody} whole={whole} /> : null}
    </section>
  )
}

function Misbehaviour({
  shell,
  delivery: { plan },
  sentences,
}: {
  shell: Shell
  delivery: Delivery
  sentences: readonly string[]
}) {
  const ids = plannedFaultIds(plan)
  return (
    <section class="notice waiting" aria-label="Wrong on purpose">
      <p>
        <strong>Wrong on purpose.</strong>
      </p>
      <ul>
        {sentences.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
      {ids.length === 0 ? null : (
        <p>
          Planned by fault {ids.map((id, index) => [index > 0 ? ', ' : '', <code>{id}</code>])}:{' '}
          <a href={linkTo(shell, '/ui/faults')}>all faults</a>
        </p>
      )}
    </section>
  )
}

function answerWords({ status, error, outcome }: Attempt): string {
  if (status === null) return error ?? (outcome === 'unknown' ? 'none yet' : 'none')
  return error === null ? String(status) : `${status} (${error})`
}

/** The request that an attempt has sent. */
interface Sent {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A command that sends exactly these bytes and headers again.
 *  @param source a command that prints the body, for one that cannot be pasted */
function sentAgain({ url, headers, body }: Sent, source: string): string {
  const options = Object.entries(headers).map(([name, value]) => headerOption(name, value))
  return withBody([`curl -i -X POST ${exactUrl(url)}`, ...options], body, source)
}

import type { Child } from 'hono/jsx'
import { amountFor } from '../../../domain/selection.ts'
import { Act } from '../form.tsx'
import type { Shell } from '../view.ts'

/** Every way to have an order follow a scenario, the strongest first, ready to copy. */
export function WaysToChoose({ id, shell }: { id: string; shell: Shell }) {
  const amount = amountFor(id)
  return (
    <ol class="ways">
      <Way
        name="For the next orders"
        note="Whoever creates them; with a requestId, only orders with that requestId."
      >
        <PlanIt id={id} shell={shell} />
      </Way>
      <Way name="A header of the create call" note="A proxy in your tests can add it.">
        <Copied text={`emulator-scenario: ${id}`} />
      </Way>
      <Way name="Metadata of the create call">
        <Copied text={JSON.stringify({ metadata: { emulatorScenario: id } })} />
      </Way>
      <Way name="The tag of the payer’s e-mail" note="No code changes at all.">
        <Copied text={JSON.stringify({ email: `buyer+${id}@example.com` })} />
      </Way>
      <Way name="A description" note="The field userMessage works too.">
        <Copied text={JSON.stringify({ requestDescription: `scenario: ${id}` })} />
      </Way>
      {amount === undefined ? null : (
        <Way name="The amount" note="Unless the setting scenarios.amounts is off.">
          <Copied text={JSON.stringify({ fiatAmount: amount })} />
        </Way>
      )}
      <Way name="The client’s default" note="For every order that does not choose a scenario.">
        <MakeDefault id={id} shell={shell} />
      </Way>
      {id === 'happy' ? (
        <Way name="Nothing at all" note="Applies when nothing above chooses a scenario.">
          <span class="faint">Every order that does not choose a scenario gets it.</span>
        </Way>
      ) : null}
    </ol>
  )
}

interface ChoiceProps {
  readonly id: string
  readonly shell: Shell
}

function PlanIt({ id, shell }: ChoiceProps) {
  return (
    <Act
      shell={shell}
      id="choose-next"
      at="choose"
      action={{
        method: 'POST',
        path: '/scenarios/next',
        body: { scenario: id, clientId: shell.clientId },
      }}
      label="Plan it"
      look="primary"
      fields={[
        { type: 'number', name: 'count', label: 'How many orders', placeholder: '1' },
        { type: 'text', name: 'requestId', label: 'Only this requestId', placeholder: 'any' },
        ...(shell.clientId === undefined
          ? [
              {
                type: 'text' as const,
                name: 'clientId',
                label: 'Only this client',
                placeholder: 'any',
                suggestions: shell.clients ?? undefined,
              },
            ]
          : []),
      ]}
    />
  )
}

function MakeDefault({ id, shell }: ChoiceProps) {
  return (
    <Act
      shell={shell}
      id="choose-default"
      at="choose"
      action={{ method: 'PATCH', path: '/clients/{clientId}', body: { defaultScenario: id } }}
      label="Make it the default"
      fields={[
        {
          type: 'path',
          name: 'clientId',
          label: 'Client',
          options: shell.clients ?? undefined,
          value: shell.clientId,
          required: true,
        },
      ]}
    />
  )
}

function Way({ name, note, children }: { name: string; note?: string; children?: Child }) {
  return (
    <li>
      <div>
        <h3>{name}</h3>
        {note === undefined ? null : <p class="hint">{note}</p>}
      </div>
      <div class="way form-grid">{children}</div>
    </li>
  )
}

/** One press selects all of it. */
const Copied = ({ text }: { text: string }) => (
  <pre class="copied" tabindex={0}>
    <code>{text}</code>
  </pre>
)

import { Act, type Field } from '../form.tsx'
import type { Shell } from '../view.ts'

/** The form that makes a client, folded away until somebody wants it. */
export function NewClient({ shell, scenarios }: { shell: Shell; scenarios: readonly string[] }) {
  return (
    <details class="card folded" id="new-client" open={wasRefused(shell)}>
      <summary>Create a client</summary>
      <p class="hint">Empty fields get generated values.</p>
      <Act
        shell={shell}
        id="make-client"
        action={{ method: 'POST', path: '/clients' }}
        label="Create the client"
        look="primary"
        fields={fieldsOf(scenarios)}
      />
    </details>
  )
}

const fieldsOf = (scenarios: readonly string[]): readonly Field[] => [
  { type: 'text', name: 'clientId', label: 'clientId', placeholder: 'shop' },
  {
    type: 'text',
    name: 'webhookUrl',
    label: 'Webhook URL',
    placeholder: 'http://127.0.0.1:3000/webhooks',
    hint: 'Where your application receives webhooks. Without a URL they are only recorded.',
  },
  {
    type: 'text',
    name: 'defaultScenario',
    label: 'Scenario of its orders',
    placeholder: 'happy',
    suggestions: scenarios,
  },
  {
    type: 'text',
    name: 'clock.mode',
    label: 'Clock',
    options: [
      { value: '', label: 'default for new clients' },
      { value: 'real', label: 'real: follows wall-clock time' },
      { value: 'manual', label: 'manual: stopped until it is moved' },
    ],
  },
  { type: 'text', name: 'apiSecret', label: 'API secret' },
  { type: 'text', name: 'accessToken', label: 'Access token' },
  { type: 'text', name: 'webhookSecret', label: 'Webhook secret', placeholder: 'whsec_…' },
]

/** Then the form is to be mended and not to be looked for. */
function wasRefused({ note }: Shell): boolean {
  return note?.action?.path === '/clients' && (note.status === null || note.status >= 400)
}

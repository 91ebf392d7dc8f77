import { faultStages } from '../../../domain/faults/answer/answer-fault.ts'
import { callWords } from '../../../domain/journal/call-words.ts'
import { orderStatuses } from '../../../domain/order/statuses.ts'
import type { ActionSpec } from '../../framework/action.ts'
import { Act, type Field } from '../../framework/form.tsx'
import { linkTo, type Shell } from '../../framework/view.ts'
import { type FaultKind, faultKinds, presets } from './fault-kinds.ts'

interface FormProps {
  readonly shell: Shell
  /** Pre-filled by a link from a request or a webhook. */
  readonly about: About
}

interface About {
  readonly on: string | undefined
  readonly requestId: string | undefined
}

/** Forms that plan a fault: with one click, by kind, or as JSON.
 *  @param kind the open form: of `faultKinds`, or `json` */
export function FaultForm({
  kind,
  isOpen,
  ...props
}: FormProps & { kind: string | undefined; isOpen: boolean }) {
  const chosen = faultKinds.find(({ name }) => name === kind)
  return (
    <details class="card plan-fault" id="plan" open={isOpen}>
      <summary>Plan a fault</summary>
      <h2>
        Presets
        {props.shell.clientId === undefined ? ', for all clients' : `, for ${props.shell.clientId}`}
      </h2>
      <Presets {...props} />
      <h2>Faults for calls of your application</h2>
      <Kinds on="call" chosen={chosen} {...props} />
      <h2>Faults for webhooks</h2>
      <Kinds on="delivery" chosen={chosen} {...props} />
      <p class="hint">
        To delay webhooks and release them when you like,{' '}
        <a href={linkTo(props.shell, '/ui/deliveries')}>hold them</a>.
      </p>
      {chosen === undefined ? null : <KindForm kind={chosen} {...props} />}
      {kind === 'json' ? (
        <JsonForm {...props} />
      ) : (
        <p>
          <a href={`${linkTo(props.shell, '/ui/faults', { ...props.about, plan: 'json' })}#form`}>
            Write one as JSON
          </a>
        </p>
      )}
    </details>
  )
}

function Presets({ shell }: FormProps) {
  return (
    <ul class="presets">
      {presets.map(({ name, label, does, body }) => (
        <li>
          <Act shell={shell} id={`preset-${name}`} action={planned(shell, body)} label={label} />
          <p class="hint">{does}</p>
        </li>
      ))}
    </ul>
  )
}

function Kinds({
  on,
  chosen,
  shell,
  about,
}: FormProps & { on: FaultKind['on']; chosen: FaultKind | undefined }) {
  return (
    <ul class="kinds">
      {faultKinds
        .filter((kind) => kind.on === on)
        .map(({ name, title, does }) => (
          <li>
            <a
              href={`${linkTo(shell, '/ui/faults', { ...about, plan: name })}#form`}
              aria-current={name === chosen?.name ? 'true' : undefined}
            >
              <strong>{title}</strong>
              <span>{does}</span>
            </a>
          </li>
        ))}
    </ul>
  )
}

function KindForm({ kind, shell, about }: FormProps & { kind: FaultKind }) {
  const body = kind.on === 'delivery' ? { on: 'delivery', ...kind.body } : (kind.body ?? {})
  return (
    <section id="form" class="form-grid" aria-labelledby="form-title">
      <h2 id="form-title">{kind.title}</h2>
      <p class="hint">{kind.does}</p>
      <Act
        shell={shell}
        id={`plan-${kind.name}`}
        at="form"
        then={linkTo(shell, '/ui/faults')}
        action={planned(shell, body)}
        label="Plan it"
        look="primary"
        fields={[
          ...kind.fields,
          ...(kind.on === 'call' ? callFields(kind) : deliveryFields),
          ...limitFields,
          ...clientField(shell),
        ].map((field) => filledIn(field, about))}
      />
    </section>
  )
}

function filledIn(field: Field, { on, requestId }: About): Field {
  if (field.name === 'where.requestId') return { ...field, value: requestId }
  return field.name === 'on' && on !== undefined ? { ...field, value: on } : field
}

function JsonForm({ shell, about }: FormProps) {
  return (
    <section id="form" aria-labelledby="form-title">
      <h2 id="form-title">As JSON</h2>
      <Act
        shell={shell}
        id="plan-json"
        at="form"
        then={linkTo(shell, '/ui/faults')}
        action={planned(shell)}
        label="Plan it"
        look="primary"
        fields={[
          {
            ...{ type: 'json', name: '', label: 'The fault', rows: 10, required: true },
            value: exampleAbout(about),
            hint: 'The body of POST /_emulator/faults; the reference page lists all its fields.',
          },
        ]}
      />
    </section>
  )
}

const exampleAbout = ({ on, requestId = 'r*' }: About): string =>
  JSON.stringify(
    {
      on: on ?? ['orders', 'crypto-orders'],
      where: { requestId },
      effect: { status: 502, body: '<h1>Bad Gateway</h1>', delay: '3s' },
      times: 2,
    },
    null,
    2,
  )

const planned = ({ clientId }: Shell, body?: ActionSpec['body']): ActionSpec => ({
  method: 'POST',
  path: '/faults',
  query: { clientId },
  body,
})

const callFields = ({ when }: FaultKind): Field[] => [
  {
    ...{ type: 'text', name: 'on', label: 'Which call', value: 'create-order' },
    options: [...callWords],
  },
  {
    ...{ type: 'text', name: 'when', label: 'When', value: when ?? 'before' },
    options: faultStages.map((value) => ({ value, label: stageWords[value] })),
  },
  {
    type: 'text',
    name: 'where.requestId',
    label: 'Only this requestId',
    placeholder: 'any; r* for all that begin with r',
  },
]

const stageWords = {
  unchecked: 'before any check',
  before: 'with nothing stored',
  stored: 'after the order is stored',
} as const

const deliveryFields: readonly Field[] = [
  {
    type: 'text',
    name: 'where.requestId',
    label: 'Only this requestId',
    placeholder: 'any; r* for all that begin with r',
  },
  {
    ...{ type: 'text', name: 'where.orderStatus', label: 'Only this orderStatus', placeholder: 'any' },
    suggestions: orderStatuses,
  },
]

const limitFields: readonly Field[] = [
  { type: 'number', name: 'times', label: 'How often', placeholder: '1, or all until it ends' },
  { type: 'number', name: 'skip', label: 'Calls to skip first', placeholder: '0' },
  {
    type: 'text',
    name: 'for',
    label: 'Ends after',
    placeholder: 'until used up; 2m',
    hint: 'On the client’s clock.',
  },
  { type: 'number', name: 'probability', label: 'Probability', placeholder: '1' },
]

const clientField = ({ clientId, clients }: Shell): Field[] =>
  clientId === undefined
    ? [
        {
          ...{ type: 'text', name: 'clientId', label: 'Client', placeholder: 'all clients' },
          suggestions: clients ?? undefined,
        },
      ]
    : []

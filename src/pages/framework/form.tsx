import type { Child } from 'hono/jsx'
import { shellQuoted } from '../../domain/text/shell.ts'
import { type ActionSpec, actionOf, curlOf, type FieldType } from './action.ts'
import { isGood, type Note, refusalWords } from './notes.ts'
import { clientPath, linkTo, type Shell } from './view.ts'

/** A field of a form, which becomes a part of its call. */
export interface Field {
  readonly type: FieldType
  /** The field of the body (`where.requestId`), or the parameter of path or query. */
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  /** The values of a selection list. */
  readonly options?: readonly Option[] | undefined
  /** Values that the field suggests. */
  readonly suggestions?: readonly string[] | undefined
  /** The height of a field for long texts, in lines. */
  readonly rows?: number | undefined
  readonly required?: boolean | undefined
  readonly hint?: string | undefined
}

interface ActProps {
  readonly shell: Shell
  /** The id of the form, unique in the page: live updates match forms by it. */
  readonly id: string
  readonly action: ActionSpec
  /** The label of the submit button. */
  readonly label: string
  readonly look?: 'primary' | 'danger' | 'plain' | 'quiet' | 'chosen'
  /** What the button does, for who points at it. */
  readonly title?: string | undefined
  readonly fields?: readonly Field[]
  /** The next page after success; the same page if left out, as after an error. `{orderId}` stands for that field of
   *  the answer. */
  readonly then?: string
  /** The position on the page to return to; its top if left out. */
  readonly at?: string
  readonly children?: Child
}

/** A button that makes a call of the control API, with its fields and, if the reader wants it, the equivalent `curl`.
 *  It works without JavaScript. */
export function Act({
  shell,
  id,
  action,
  label,
  look = 'plain',
  title,
  fields = [],
  then,
  at,
  children,
}: ActProps) {
  const refused = refusalOf(shell, action, fields)
  const values = fields.map((field) => ({
    ...field,
    value: typedInto(refused, field) ?? field.value,
  }))
  const form = formOf(action, values)
  return (
    <form class="act" method="post" action="/_emulator/ui/act" id={id}>
      {form.map(([name, value]) =>
        name === 'action' ? <input type="hidden" name={name} value={value} /> : null,
      )}
      <input type="hidden" name="back" value={at === undefined ? shell.here : `${shell.here}#${at}`} />
      {then === undefined ? null : <input type="hidden" name="then" value={then} />}
      {values.length === 0 ? null : (
        <div class="fields">
          {values.map((field) => (
            <FormField field={field} form={id} />
          ))}
        </div>
      )}
      {refused === null ? null : (
        <p class="wrong refusal" id={`${id}-refusal`}>
          {refusalWords(refused.text)}
        </p>
      )}
      {children}
      <div class="act-row">
        <button
          type="submit"
          class={`button ${look}`}
          title={title}
          aria-pressed={look === 'chosen' ? 'true' : undefined}
        >
          {label}
        </button>
        {at !== undefined && isDone(shell, action, fields) ? (
          <strong class="done-here" role="status">
            Done
          </strong>
        ) : null}
        {shell.showsCommands ? <Command text={curlText(form, shell)} /> : null}
      </div>
    </form>
  )
}

/** A command, or another text, that can be unfolded and copied.
 *  @param name what it is, if not the command for the button beside it */
export function Curl({ text, id, name }: { text: string; id: string; name?: string }) {
  return (
    <details class="folded-curl" id={id}>
      <summary title={name === undefined ? 'The same as a command' : undefined}>{name ?? 'curl'}</summary>
      <Command text={text} />
    </details>
  )
}

/** A command that can be copied. */
export function Command({ text }: { text: string }) {
  return (
    <div class="curl">
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
      {text.includes('$EMULATOR_CONTROL_TOKEN') ? (
        <p class="hint">
          <TokenVariable shell={{ asksForToken: true }} />
        </p>
      ) : null}
      <button type="button" class="button plain copy scripted-only">
        Copy
      </button>
    </div>
  )
}

function FormField({ field, form }: { field: Field; form: string }) {
  const id = `${form}-${field.name.replaceAll('.', '-') || field.type}`
  return (
    <div class="field">
      <label for={id}>{field.label}</label>
      <Control field={field} id={id} />
      {field.hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      )}
    </div>
  )
}

function Control({ field, id }: { field: Field; id: string }) {
  const { type, name, value = '', placeholder, options, suggestions, rows, required, hint } = field
  const common = {
    id,
    name: `${type}:${name}`,
    required,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  }
  if (options !== undefined) {
    return (
      <select {...common}>
        <Options options={options} chosen={value} />
      </select>
    )
  }
  if (rows !== undefined)
    return (
      <textarea {...common} rows={rows} placeholder={placeholder} spellcheck={false}>
        {value}
      </textarea>
    )
  const list = suggestions === undefined ? undefined : `${id}-list`
  return (
    <>
      <input {...common} value={value} placeholder={placeholder} list={list} autocomplete="off" />
      {suggestions === undefined ? null : (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** The error of this form's last call; null without one. */
export function refusalOf(shell: Shell, action: ActionSpec, fields: readonly Field[]): Note | null {
  const note = noteOf(shell, action, fields)
  return note !== null && !isGood(note) ? note : null
}

/** Whether this form was just submitted. If the browser stays at the form, the note at the top of the page is out of
 *  sight. */
function isDone(shell: Shell, action: ActionSpec, fields: readonly Field[]): boolean {
  const note = noteOf(shell, action, fields)
  return note !== null && isGood(note)
}

function noteOf({ note }: Shell, action: ActionSpec, fields: readonly Field[]): Note | null {
  const sent = new Map(note?.fields)
  const isSame = sent.get('action') === JSON.stringify(action)
  return isSame && fields.every(({ type, name }) => sent.has(`${type}:${name}`)) ? note : null
}

/** Returns the text that was typed into a field of a refused form. */
const typedInto = (refused: Note | null, { type, name }: Field): string | undefined =>
  refused?.fields.find(([field]) => field === `${type}:${name}`)?.[1]

const formOf = (action: ActionSpec, fields: readonly Field[]): [string, string][] => [
  ['action', JSON.stringify(action)],
  ...fields.map(({ type, name, value = '' }): [string, string] => [`${type}:${name}`, value]),
]

/** A rejected form with invalid JSON has no command. */
function curlText(form: readonly [string, string][], { origin, asksForToken }: Shell): string {
  try {
    return curlOf(actionOf(form), origin, asksForToken)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** An option of a selection list, with a label if it differs from the value. */
export type Option = string | { readonly value: string; readonly label: string }

/** The options of a `select`. */
export function Options({ options, chosen }: { options: readonly Option[]; chosen: string }) {
  return (
    <>
      {options.map((option) => {
        const { value, label } = typeof option === 'string' ? { value: option, label: option } : option
        return (
          <option value={value} selected={value === chosen}>
            {label}
          </option>
        )
      })}
    </>
  )
}

/** Explains the `$PAYMENT_ORDER_...` of a command: credentials are shown on the client's page only. */
export function Variables({ shell, clientId }: { shell: Shell; clientId: string }) {
  // npm prints lines of its own, which are no shell code.
  const call = shell.programCall.replace('start --', 'start --silent --')
  const command = `${call} status --env --client ${shellQuoted(clientId)} --url ${shell.origin}`
  return (
    <p class="hint">
      The command’s variables are <a href={linkTo(shell, clientPath(clientId))}>credentials of {clientId}</a>.
      To set them: <code>{`eval "$(${command})"`}</code> <TokenVariable shell={shell} />
    </p>
  )
}

/** Explains the shell variable with the control token that commands need. */
export function TokenVariable({ shell: { asksForToken } }: { shell: Pick<Shell, 'asksForToken'> }) {
  if (!asksForToken) return null
  return (
    <>
      The control token is read from a variable: <code>export EMULATOR_CONTROL_TOKEN=…</code>
    </>
  )
}

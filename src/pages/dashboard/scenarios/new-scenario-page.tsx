import type { ActionSpec } from '../../framework/action.ts'
import { Act, type Field, refusalOf } from '../../framework/form.tsx'
import { refusalWords } from '../../framework/notes.ts'
import { type DashboardPage, linkTo, type Shell } from '../../framework/view.ts'

const template = `id: my-scenario
description: The payer pays after 10 seconds, and the webhook of COMPLETED is sent twice
tests: Your code fulfils an order only once.
timeline:
  - { at: 10s, pay: completed }
  - { at: 12s, order: COMPLETED }
webhooks:
  - { of: COMPLETED, duplicate: 1, apart: 5s }
`

/** `/_emulator/ui/new-scenario`: a template for a new scenario. */
export const newScenarioPage: DashboardPage = {
  path: '/ui/new-scenario',
  show: async ({ shell }) => ({
    title: 'New scenario',
    body: (
      <>
        <p class="lead">
          A scenario is a timetable: what happens to the order, when, and what goes wrong. The name must match
          the <code>id</code> in the text.
        </p>
        <ScenarioEditor
          shell={shell}
          id="new"
          action={{ method: 'PUT', path: '/scenarios/{id}' }}
          text={template}
          label="Save"
          fields={[
            {
              ...{ type: 'path', name: 'id', label: 'Name', value: 'my-scenario', required: true },
              hint: 'Lower-case words joined by hyphens.',
            },
          ]}
        />
      </>
    ),
  }),
}

interface EditorProps {
  readonly shell: Shell
  readonly id: string
  /** The control call that saves the scenario; `{id}` is filled in from the form. */
  readonly action: ActionSpec
  readonly text: string
  readonly label: string
  readonly fields?: readonly Field[]
}

/** The text editor for a scenario, with the problems below it. */
export function ScenarioEditor({ shell, id, action, text, label, fields = [] }: EditorProps) {
  const lines = text.split('\n').length
  const area: Field = {
    ...{ type: 'yaml', name: '', label: 'Text (YAML)', value: text },
    rows: Math.min(Math.max(lines + 2, 12), 40),
    required: true,
  }
  const all = [...fields, area]
  const refused = refusalOf(shell, action, all)
  const typed = refused?.fields.find(([name]) => name === 'yaml:')?.[1] ?? text
  return (
    <Act
      shell={shell}
      id={id}
      at={id}
      then={linkTo(shell, '/ui/scenarios/{id}')}
      action={action}
      label={label}
      look="primary"
      fields={all}
    >
      {refused === null ? null : <WrongLines message={refusalWords(refused.text)} text={typed} />}
    </Act>
  )
}

/** Each line with a problem, with a mark at its position. */
function WrongLines({ message, text }: { message: string; text: string }) {
  const lines = text.split('\n')
  const problems = [...message.matchAll(/^[^:\n]*:(\d+):(\d+): (.*)$/gm)]
  if (problems.length === 0) return null
  return (
    <ol class="wrong-lines">
      {problems.map(([, line = '1', column = '1', words]) => (
        <li>
          <p class="wrong">
            Line {line}, column {column}: {words}
          </p>
          <pre tabindex={0}>
            <code>
              {line.padStart(4)} | {lines[Number(line) - 1]}
              {'\n'}
              {' '.repeat(Number(column) + 6)}^
            </code>
          </pre>
        </li>
      ))}
    </ol>
  )
}

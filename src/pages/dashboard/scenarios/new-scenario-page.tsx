import type { DashboardPage } from '../view.ts'
import { ScenarioEditor } from './scenario-editor.tsx'

const template = `id: my-scenario
description: The payer pays after 10 seconds, and the webhook of COMPLETED is sent twice
tests: Your code fulfils an order only once.
timeline:
  - { at: 10s, pay: completed }
  - { at: 12s, order: COMPLETED }
webhooks:
  - { of: COMPLETED, duplicate: 1, apart: 5s }
`

/** `/_emulator/ui/new-scenario`: a template to write a scenario from. */
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

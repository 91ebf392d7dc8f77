import type { z } from 'zod'
import { keptScenario } from '../../../control/shapes/kept-scenario.ts'
import { order as orderShape } from '../../../control/shapes/order.ts'
import { type TestKind, testKinds } from '../../../domain/keep/tests/kept-test.ts'
import { shellQuoted } from '../../../domain/text/shell.ts'
import { Curl } from '../../framework/form.tsx'
import { LongText } from '../../framework/long-text.tsx'
import { type DashboardPage, linkTo, orderPath, type Shell } from '../../framework/view.ts'

/** `/_emulator/ui/orders/{orderId}/keep`: an order as a scenario file, with a test for one of the test runners. */
export const keepPage: DashboardPage = {
  path: '/ui/orders/:orderId/keep',
  show: async ({ api, shell, param, query }) => {
    const orderId = param('orderId')
    const kind = testKinds.find((known) => known === query.test) ?? testKinds[0]
    const path = `/orders/${encodeURIComponent(orderId)}`
    const { clientId } = shell
    const [order, kept] = await Promise.all([
      api.get(path, orderShape, { clientId }),
      api.get(`${path}/scenario`, keptScenario, { clientId, test: kind }),
    ])
    return {
      title: `Keep ${order.requestId} as test`,
      body: (
        <>
          <p>
            What happened to <a href={linkTo(shell, orderPath(orderId))}>the order {order.requestId}</a>, as a
            scenario: an order that follows it sends the same webhooks at the same times.
          </p>
          <KeptFile {...{ shell, orderId, kept }} />
          <KeptTestFile {...{ shell, orderId, kept, kind }} />
        </>
      ),
    }
  },
}

interface KeptProps {
  readonly shell: Shell
  readonly orderId: string
  readonly kept: z.output<typeof keptScenario>
}

function KeptFile({ shell, orderId, kept: { file, yaml, notes } }: KeptProps) {
  const url = linkTo(shell, `/orders/${encodeURIComponent(orderId)}/scenario`)
  return (
    <section aria-labelledby="scenario">
      <h2 id="scenario">{file}</h2>
      {notes.length === 0 ? null : (
        <ul class="hint">
          {notes.map((note) => (
            <li>{note}</li>
          ))}
        </ul>
      )}
      <div class="act-row">
        <a class="button primary" href={url} download={file}>
          Download {file}
        </a>
        <Curl id="scenario-curl" text={curlText(shell, url, file)} />
      </div>
      <Copyable id="scenario-text" text={yaml} />
    </section>
  )
}

function KeptTestFile({
  shell,
  orderId,
  kept: { file, testFile, test },
  kind,
}: KeptProps & { readonly kind: TestKind }) {
  const here = `${orderPath(orderId)}/keep`
  const command = `${shell.programCall} keep ${shellQuoted(orderId)} --test ${kind}`
  return (
    <section aria-labelledby="test">
      <h2 id="test">{testFile}</h2>
      <p class="hint">
        Put it beside <code>{file}</code>. It checks the sequence of webhooks, and has one place for what your
        application must have done.
      </p>
      <nav class="parts" aria-label="Test runner">
        {testKinds.map((known) => (
          <a href={linkTo(shell, here, { test: known })} aria-current={known === kind ? 'true' : undefined}>
            {known}
          </a>
        ))}
      </nav>
      <div class="act-row">
        <Curl id="test-command" name="Write both files" text={command} />
      </div>
      <Copyable id="test-text" text={test} />
    </section>
  )
}

/** A text with a button that copies it. */
function Copyable({ id, text }: { id: string; text: string }) {
  return (
    <div class="curl kept-file">
      <button type="button" class="button plain copy scripted-only">
        Copy
      </button>
      <LongText id={id} text={text} />
    </div>
  )
}

function curlText({ origin, asksForToken }: Shell, url: string, file: string): string {
  return [
    `curl ${shellQuoted(`${origin}${url}`)}`,
    ...(asksForToken ? ['-H "Authorization: Bearer $EMULATOR_CONTROL_TOKEN"'] : []),
    `--output ${shellQuoted(file)}`,
  ].join(' \\\n  ')
}

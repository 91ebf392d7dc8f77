import { shellQuoted } from '../../domain/shell-quote.ts'
import { ownProgramCall } from '../../package.ts'
import { clientPath } from './paths.ts'
import { linkTo, type Shell } from './view.ts'

/** Where the `$PAYMENT_ORDER_...` of a command come from: credentials stand on the client's page and nowhere else. */
export function Variables({ shell, clientId }: { shell: Shell; clientId: string }) {
  // What npm itself prints is no shell.
  const call = ownProgramCall.replace('start --', 'start --silent --')
  const command = `${call} status --env --client ${shellQuoted(clientId)} --url ${shell.origin}`
  return (
    <p class="hint">
      Its variables are <a href={linkTo(shell, clientPath(clientId))}>credentials of {clientId}</a>. To set
      them: <code>{`eval "$(${command})"`}</code> <TokenVariable shell={shell} />
    </p>
  )
}

/** Without the control token no command of a page works where the emulator asks for one. */
export function TokenVariable({ shell: { asksForToken } }: { shell: Pick<Shell, 'asksForToken'> }) {
  if (!asksForToken) return null
  return (
    <>
      The control token is read from a variable: <code>export EMULATOR_CONTROL_TOKEN=…</code>
    </>
  )
}

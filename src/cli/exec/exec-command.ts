import { Command } from 'commander'
import { addServeFlags } from '../serve/serve-command.ts'

/** `exec`: how it is called. */
export function execCommand(): Command {
  const command = new Command('exec')
    .description('start the emulator, run a command that uses it, stop, and exit with its code')
    .usage('[options] -- <command...>')
    .argument('<command...>', 'what to run, with its arguments')
    // What follows the command belongs to it.
    .passThroughOptions()
    .option('--coverage', 'say at the end what the command has met of what the provider can do')
    .option('--coverage-min <percent>', 'exit with 1 if that is less; implies --coverage')
    .option('--coverage-html <file>', 'write it as one HTML page; implies --coverage')
    .option('--coverage-summary <file>', 'append it as Markdown; implies --coverage')
    .addHelpText(
      'after',
      `
The command finds the emulator, ready and on a free port, in PAYMENT_ORDER_BASE_URL, and its client in
PAYMENT_ORDER_CLIENT_ID, PAYMENT_ORDER_API_SECRET, PAYMENT_ORDER_ACCESS_TOKEN and PAYMENT_ORDER_WEBHOOK_SECRET.
EMULATOR_URL and EMULATOR_CLIENT_ID are set as well, so that "payment-order-emulator status" in it asks this emulator.
Nothing is written to its standard output; with --log the emulator's log goes to standard error. The flags are those of
serve, and so are their environment variables.

Exit code: that of the command, and 128 and the number of the signal if one ended it, as in a shell; 127 if there is no
such command, 126 if it cannot be run; 1 or 2 if the emulator could not be started; 1 if the command went well and less
than --coverage-min was met.

With --coverage, what the command has met stands on standard error after its own output: first the hazards that it has
not met, each with the line that brings it. Emulators that it starts with the library or with this program count, too:
they find a folder in EMULATOR_COVERAGE_DIR and write there. Set it yourself to keep that folder.

Examples:
  $ payment-order-emulator exec -- npm test
  $ payment-order-emulator exec --coverage --coverage-min 40 -- npm test
  $ payment-order-emulator exec --clock manual --seed test -- npx vitest run
  $ payment-order-emulator exec -- sh -c 'curl -s "$PAYMENT_ORDER_BASE_URL/_emulator/health"'`,
    )
  return addServeFlags(command, {
    port: 'a free one',
    log: 'silent; on standard error otherwise',
  })
}

import { Command } from 'commander'
import { addServeFlags } from '../serve/serve-command.ts'

/** Builds the `exec` command. */
export function execCommand(): Command {
  const command = new Command('exec')
    .description('start an emulator, run a command that uses it, stop, and exit with the command’s code')
    .usage('[options] -- <command...>')
    .argument('<command...>', 'command to run, with its arguments')
    // The arguments after the command belong to the command.
    .passThroughOptions()
    .option('--coverage', 'show at the end which behaviours of the service the command has met')
    .option('--coverage-min <percent>', 'exit with 1 if coverage is lower; implies --coverage')
    .option('--coverage-html <file>', 'write the coverage as one HTML page; implies --coverage')
    .option('--coverage-summary <file>', 'append the coverage as Markdown; implies --coverage')
    .addHelpText(
      'after',
      `
The emulator is ready and on a free port when the command starts. PAYMENT_ORDER_BASE_URL has its URL; its client is in
PAYMENT_ORDER_CLIENT_ID, PAYMENT_ORDER_API_SECRET, PAYMENT_ORDER_ACCESS_TOKEN and PAYMENT_ORDER_WEBHOOK_SECRET.
EMULATOR_URL and EMULATOR_CLIENT_ID are set too, so "payment-order-emulator status" in the command asks this emulator.
The emulator writes nothing to standard output; with --log its log goes to standard error. The flags and environment
variables of serve apply.

Exit code: that of the command; 128 plus the number of the signal if one ended it, as in a shell; 127 if the command
does not exist, 126 if it cannot be run; 1 or 2 if the emulator could not start; 1 if the command succeeded but coverage
is below --coverage-min.

With --coverage, the coverage is printed to standard error after the command's output: first the hazards that it has not
met, each with a line that covers it. Emulators that the command starts with the library or this program count too: they
write to the folder in EMULATOR_COVERAGE_DIR. Set that variable yourself to keep the folder.

Examples:
  $ payment-order-emulator exec -- npm test
  $ payment-order-emulator exec --coverage --coverage-min 40 -- npm test
  $ payment-order-emulator exec --clock manual --seed test -- npx vitest run
  $ payment-order-emulator exec -- sh -c 'curl -s "$PAYMENT_ORDER_BASE_URL/_emulator/health"'`,
    )
  return addServeFlags(command, {
    port: 'a free port',
    log: 'silent; otherwise on standard error',
  })
}

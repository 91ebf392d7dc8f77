import { Command, Option } from 'commander'
import { waitedFor } from './options.ts'

/** `wait`: how it is called. */
export function waitCommand(): Command {
  const command = new Command('wait')
    .description('wait until a running emulator is healthy, or until something in it is so')
    .allowExcessArguments(false)
    .addOption(new Option('--for <kind>', 'an order, a delivery or a request').choices(waitedFor))
    .option(
      '--where <name=value,...>',
      'members as the control API shows them; a value may end in * (repeatable)',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--timeout <duration>', 'how long at most, like 500ms, 10s, 2m (default: 30s)')
    .option('--client <clientId>', 'look at this client only')
    .option('--url <url>', 'of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'of the emulator, if it asks for one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print what was waited for as JSON')
    .addHelpText(
      'after',
      `
It waits for the emulator too, should that not be up yet. No clock is moved.

Exit code 0: it is so; 1: it did not become so in time, or the emulator did not answer or failed; 2: wrong usage,
like an unknown member, client or control token.

Examples:
  $ payment-order-emulator wait --timeout 1m
  $ payment-order-emulator wait --for order --where requestId=r1,orderStatus=COMPLETED
  $ payment-order-emulator wait --for delivery --where 'requestId=r1' --where status=delivered --json
  $ payment-order-emulator wait --for request --where operation=create-order,body.fiatAmount=10.00

Through npm: npm start --silent -- wait ... --json | jq .orderId`,
    )
  // People try these; the error says how it is said.
  for (const kind of waitedFor) command.addOption(new Option(`--${kind} <requestId>`).hideHelp())
  return command
}

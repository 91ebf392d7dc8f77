import { Command, Option } from 'commander'
import { waitedFor } from './options.ts'

/** `wait`: how it is called. */
export function waitCommand(): Command {
  const command = new Command('wait')
    .description('wait until an emulator is healthy, or until an order, delivery or request matches')
    .allowExcessArguments(false)
    .addOption(new Option('--for <kind>', 'wait for an order, a delivery or a request').choices(waitedFor))
    .option(
      '--where <name=value,...>',
      'fields as the control API shows them; a value may end in * (repeatable)',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option('--timeout <duration>', 'how long to wait at most, like 500ms, 10s, 2m (default: 30s)')
    .option('--client <clientId>', 'look only at this client')
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print the match as JSON')
    .addHelpText(
      'after',
      `
It also waits for the emulator to start. It moves no clock.

Exit code 0: matched; 1: no match in time, or the emulator did not answer or failed; 2: wrong usage, like an unknown
field, client or control token.

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

import { Command } from 'commander'

/** `status`: how it is called. */
export function statusCommand(): Command {
  return new Command('status')
    .description('show clients, clocks, orders and deliveries of a running emulator')
    .allowExcessArguments(false)
    .option('--client <clientId>', 'this client only (with --env: EMULATOR_CLIENT_ID; default: demo-client)')
    .option('--env', 'print the variables that lead an application there, for a shell')
    .option('--url <url>', 'of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'of the emulator, if it asks for one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
Exit code 0: it answered; 1: no emulator answers; 2: wrong usage, like an unknown client.

Examples:
  $ payment-order-emulator status
  $ payment-order-emulator status --client shop-a --json
  $ eval "$(payment-order-emulator status --env)"`,
    )
}

import { Command } from 'commander'

/** Builds the `status` command. */
export function statusCommand(): Command {
  return new Command('status')
    .description('show clients, clocks, orders and deliveries of a running emulator')
    .allowExcessArguments(false)
    .option(
      '--client <clientId>',
      'show only this client (with --env: EMULATOR_CLIENT_ID; default: demo-client)',
    )
    .option('--env', 'print shell variables that point an application to this emulator')
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Exit code 0: the emulator answered; 1: no emulator answers; 2: wrong usage, like an unknown client.

Examples:
  $ payment-order-emulator status
  $ payment-order-emulator status --client shop-a --json
  $ eval "$(payment-order-emulator status --env)"`,
    )
}

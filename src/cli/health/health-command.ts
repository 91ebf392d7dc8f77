import { Command } from 'commander'

/** Builds the `health` command. */
export function healthCommand(): Command {
  return new Command('health')
    .description('exit with 0 if a running emulator answers, else with 1')
    .option(
      '--url <url>',
      'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600, or EMULATOR_HOST and EMULATOR_PORT)',
    )
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ payment-order-emulator health
  $ payment-order-emulator health --url http://127.0.0.1:4700
  HEALTHCHECK CMD payment-order-emulator health`,
    )
}

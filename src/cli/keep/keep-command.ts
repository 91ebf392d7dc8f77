import { Command } from 'commander'

/** Builds the `keep` command. */
export function keepCommand(): Command {
  return new Command('keep')
    .description('write what happened to an order as a scenario file, and a test that plays it')
    .argument('<orderId>', 'the orderId of an order of a running emulator')
    .option('--test <runner>', 'also write a test, for vitest, jest, pytest or go')
    .option('--out <folder>', 'folder for the files (default: the current folder)')
    .option('--force', 'overwrite existing files')
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print the names of the files and what they do not repeat as JSON')
    .addHelpText(
      'after',
      `
An order that follows the scenario sends the same webhooks, at times that differ by less than a second. Random choices
and manual acts are written as what came of them. A comment in the file says what it cannot repeat.

Exit code 0: the files are written; 1: there is no such order, or no emulator answers; 2: wrong usage, or a file exists.

Examples:
  $ payment-order-emulator keep 019db0c5-1800-7dc6-a346-c012b4fb8cf6
  $ payment-order-emulator keep 019db0c5-1800-7dc6-a346-c012b4fb8cf6 --test vitest --out test/kept`,
    )
}

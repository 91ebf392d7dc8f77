import { Command } from 'commander'

/** `check`: how it is called. */
export function checkCommand(): Command {
  return new Command('check')
    .description('say what is wrong in scenario, fixture, settings and conform files, and exactly where')
    .argument('<files...>', 'files, or folders with YAML files')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Which kind of file it is follows from what stands in it. Exit code 0: all are right; 1: some are wrong; 2: there is
nothing to check.

Examples:
  $ payment-order-emulator check bank-transfer.yaml conform.yaml
  $ payment-order-emulator check test/scenarios settings.yaml
  $ payment-order-emulator check --json test/scenarios`,
    )
}

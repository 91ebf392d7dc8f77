import { Command } from 'commander'

/** Builds the `check` command. */
export function checkCommand(): Command {
  return new Command('check')
    .description(
      'check scenario, fixture, settings, conform and story files, and show the place of each problem',
    )
    .argument('<files...>', 'files, or folders with YAML files')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
The kind of a file is recognised by its content. Exit code 0: no problems; 1: some files have problems; 2: there is
nothing to check.

Examples:
  $ payment-order-emulator check bank-transfer.yaml conform.yaml
  $ payment-order-emulator check test/scenarios settings.yaml
  $ payment-order-emulator check --json test/scenarios`,
    )
}

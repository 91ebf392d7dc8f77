import { Command } from 'commander'

/** Builds the `explain` command. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('print what a scenario would do to an order, without running it')
    .argument('<scenario>', 'id of a scenario, or a scenario file')
    .option(
      '--scenarios <path>',
      'scenario file or folder, in addition to the built-in scenarios (repeatable; EMULATOR_SCENARIOS)',
      (path: string, others: string[] = []) => [...others, path],
    )
    .option('--kind <kind>', 'kind of order: checkout, subscription, payout or crypto-payin')
    .option('--amount <amount>', 'amount of the order (default: 10.00)')
    .option('--seed <text>', 'seed for scenarios with random choices (default: explain)')
    .option('--json', 'print the timetable as JSON')
    .addHelpText(
      'after',
      `
Where a scenario waits for the payer or for a lookup, the timetable assumes one and marks that line.

Examples:
  $ payment-order-emulator explain happy
  $ payment-order-emulator explain happy --kind subscription
  $ payment-order-emulator explain test/scenarios/bank-transfer.yaml --amount 90.04
  $ payment-order-emulator explain bank-transfer --scenarios test/scenarios --json`,
    )
}

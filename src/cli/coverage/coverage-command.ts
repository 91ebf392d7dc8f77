import { Command } from 'commander'

/** `coverage`: how it is called. */
export function coverageCommand(): Command {
  return new Command('coverage')
    .description('say which hazards, answers and statuses tests have met, and how to bring the others')
    .allowExcessArguments(false)
    .option('--url <url>', 'of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'of the emulator, if it asks for one (EMULATOR_CONTROL_TOKEN)')
    .option('--client <clientId>', 'what this client has met only')
    .option('--dir <folder>', 'ask no emulator; add up what emulators have written into this folder')
    .option('--json', 'print it as JSON')
    .option('--html <file>', 'write it as one HTML page')
    .option('--summary <file>', 'append it as Markdown')
    .option('--coverage-min <percent>', 'exit with 1 if less than this was met')
    .addHelpText(
      'after',
      `
Only what has happened counts, since the emulator started or since DELETE /_emulator/coverage. To add up several
processes or jobs, set EMULATOR_COVERAGE_DIR for all of them, and read that folder with --dir.

Exit code 0: enough was met; 1: less than --coverage-min, or no emulator answers; 2: wrong usage, or a file that cannot
be read or written.

Examples:
  $ payment-order-emulator coverage
  $ payment-order-emulator coverage --html coverage.html --coverage-min 60
  $ payment-order-emulator coverage --dir .emulator-coverage --summary "$GITHUB_STEP_SUMMARY"`,
    )
}

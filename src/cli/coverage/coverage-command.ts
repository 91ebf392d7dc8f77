import { Command } from 'commander'

/** Builds the `coverage` command. */
export function coverageCommand(): Command {
  return new Command('coverage')
    .description('show which hazards, answers and statuses your tests have met, and how to cover the others')
    .allowExcessArguments(false)
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .option('--client <clientId>', 'count only this client')
    .option(
      '--dir <folder>',
      'do not ask an emulator; add up the files that emulators have written to this folder',
    )
    .option('--json', 'print the result as JSON')
    .option('--html <file>', 'write the result as one HTML page')
    .option('--summary <file>', 'append the result as Markdown')
    .option('--coverage-min <percent>', 'exit with 1 if coverage is lower')
    .addHelpText(
      'after',
      `
Coverage counts what has happened since the emulator started, or since DELETE /_emulator/coverage. To add up several
processes or jobs, set EMULATOR_COVERAGE_DIR for all of them, and read that folder with --dir.

Exit code 0: coverage is high enough; 1: lower than --coverage-min, or no emulator answers; 2: wrong usage, or a file
cannot be read or written.

Examples:
  $ payment-order-emulator coverage
  $ payment-order-emulator coverage --html coverage.html --coverage-min 60
  $ payment-order-emulator coverage --dir .emulator-coverage --summary "$GITHUB_STEP_SUMMARY"`,
    )
}

import { Command } from 'commander'

/** Builds the `push` command. */
export function pushCommand(): Command {
  return new Command('push')
    .description('check scenario and fixture files and send them to a running emulator')
    .argument('<files...>', 'files, or folders with YAML files')
    .option('--replace', 'replace existing clients of the fixtures, with all their data')
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print one JSON object per file')
    .addHelpText(
      'after',
      `
Scenarios are sent first. New orders follow them. Each replaces a scenario with the same id, even a built-in one, until
a reset; with --database also after a restart. If a file has a problem, nothing is sent.

Exit code 0: all files were accepted; 1: a file has a problem or was rejected, or no emulator answers; 2: wrong usage.

Examples:
  $ payment-order-emulator push bank-transfer.yaml
  $ payment-order-emulator push test/scenarios test/fixtures --url http://emulator:4600`,
    )
}

import { Command } from 'commander'

/** `push`: how it is called. */
export function pushCommand(): Command {
  return new Command('push')
    .description('check scenario and fixture files and send them to a running emulator')
    .argument('<files...>', 'files, or folders with YAML files')
    .option('--replace', 'clients of fixtures that are there already give way, with all that is theirs')
    .option('--url <url>', 'of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'of the emulator, if it asks for one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print one JSON object per file')
    .addHelpText(
      'after',
      `
Scenarios are sent first. Orders that begin from now on follow them; each replaces a scenario of the same id, built-in
ones too, until a reset, and with --database after a restart too. Nothing is sent if a file is wrong.

Exit code 0: all were taken; 1: one is wrong or was refused, or no emulator answers; 2: wrong usage.

Examples:
  $ payment-order-emulator push bank-transfer.yaml
  $ payment-order-emulator push test/scenarios test/fixtures --url http://emulator:4600`,
    )
}

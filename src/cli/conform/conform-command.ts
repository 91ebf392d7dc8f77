import { Command, Option } from 'commander'

/** `conform`: how it is called. */
export function conformCommand(): Command {
  return new Command('conform')
    .description('test your application: which integration bugs does it have?')
    .argument('[file]', 'how the application is reached (default: conform.yaml)')
    .usage('[options] [file] [-- <command...>]')
    .allowExcessArguments(false)
    .option('--init', 'write such a file, with comments, and say what to do next')
    .option('--force', 'with --init: also where there is one already')
    .option('--webhook-url <url>', 'of the application; without a file this is all that is needed')
    .option('--client <clientId>', 'whose credentials the application has (default: demo-client)')
    .option('--only <case,...>', 'run these cases only, like K01,K08 (repeatable)', listed)
    .addOption(
      new Option('--level <level>', 'must: what fails a run; should: what warns, too').choices(levels),
    )
    .option('--seed <text>', 'same seed, same run; random if left out')
    .option('--settle <duration>', 'how long the application may take to act on a webhook (default: 500ms)')
    .option('--patience <duration>', 'how long to wait at most for what must happen (default: 5s)')
    .option('--polling <duration>', 'within which time it finds out without a webhook (default: 10s)')
    .option(
      '--require-seen <percent>',
      'end with 3 if fewer of the cases could be seen (default: at least one case)',
    )
    .option('--json', 'print the result as JSON')
    .option('--junit <file>', 'write the result for CI as JUnit XML')
    .option('--html <file>', 'write the result as one HTML page')
    .option('--url <url>', 'of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'of the emulator, if it asks for one (EMULATOR_CONTROL_TOKEN)')
    .addHelpText(
      'after',
      `
It plays cases with orders of their own: duplicates, forgeries, lost answers, late webhooks. It looks at what the
application releases, not at status codes alone. The client's clock is moved on by hours and stays ahead; its webhook URL
and settings are put back. A command after -- is your application: it runs beside an emulator of its own, with the variables
that exec sets, from when it listens at webhookUrl until the end.

Exit code 0: nothing failed that must not; 1: something did, or the application ended, or no emulator answers; 2: wrong
usage, or a wrong configuration and nothing that failed; 3: nothing failed, and too few cases could be seen.

Examples:
  $ payment-order-emulator conform --webhook-url http://127.0.0.1:3000/webhooks
  $ payment-order-emulator conform --init
  $ payment-order-emulator conform
  $ payment-order-emulator conform -- npm start
  $ payment-order-emulator conform --only K08,K20
  $ payment-order-emulator conform test/conform.yaml --level must --junit conform.xml`,
    )
}

/** What `--level` can name. */
const levels = ['must', 'should'] as const

const listed = (text: string, before: readonly string[] = []): string[] => [...before, ...text.split(',')]

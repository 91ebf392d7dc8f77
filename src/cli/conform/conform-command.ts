import { Command, Option } from 'commander'

/** Builds the `conform` command. */
export function conformCommand(): Command {
  return new Command('conform')
    .description('test your application for integration bugs')
    .argument('[file]', 'configuration: how to reach the application (default: conform.yaml)')
    .usage('[options] [file] [-- <command...>]')
    .allowExcessArguments(false)
    .option('--init', 'write a commented configuration file and print the next steps')
    .option('--force', 'with --init: overwrite an existing file')
    .option('--webhook-url <url>', 'webhook URL of the application; enough to run without a file')
    .option('--client <clientId>', 'client whose credentials the application uses (default: demo-client)')
    .option('--only <case,...>', 'run only these test cases, like K01,K08 (repeatable)', listed)
    .addOption(
      new Option('--level <level>', 'must: only cases of level MUST; should: all cases').choices(levels),
    )
    .option('--seed <text>', 'seed that makes the run repeatable (default: random)')
    .option('--settle <duration>', 'how long the application may take to act on a webhook (default: 500ms)')
    .option('--patience <duration>', 'how long to wait at most for an expected reaction (default: 5s)')
    .option(
      '--polling <duration>',
      'how long it may need to notice a change by polling, without a webhook (default: 10s)',
    )
    .option(
      '--require-seen <percent>',
      'exit with 3 if fewer of the cases were observable (default: at least one case)',
    )
    .option(
      '--prove <git ref>',
      'run at that commit and in the present tree, and show which cases fail there and pass now (needs --)',
    )
    .option(
      '--story <path>',
      'play only these stories that `explore` found: a file, or a folder with YAML files (repeatable)',
      collected,
    )
    .option('--times <number>', 'with --story: how often each story is played, from 1 to 100 (default: 5)')
    .option('--json', 'print the result as JSON')
    .option('--junit <file>', 'write the result as JUnit XML, for CI')
    .option('--html <file>', 'write the result as one HTML page')
    .option(
      '--summary <file>',
      'append the result as Markdown (in GitHub Actions the job summary gets it automatically)',
    )
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .addHelpText(
      'after',
      `
Each test case creates its own orders and plays failures: duplicates, forgeries, lost answers, late webhooks. It checks
what the application fulfils, not only its status codes. Many test cases run side by side. The client's clock moves
forward by months and stays ahead; its webhook URL and settings are restored. A command after -- starts your application
with its own emulator and the variables that exec sets; the test begins once the application listens at webhookUrl, and
stops it at the end. Only then can conform kill and restart it (K49) and search its output for secrets (K58).

Exit code 0: no MUST case failed; 1: a MUST case failed, or the application stopped, or no emulator answers; 2: wrong
usage, or a configuration with problems and no failed case; 3: no MUST case failed, but too few cases were observable.
With --prove, 0: at least one case fails there and passes now, and none is worse; 1: a case is worse now; 2: wrong usage,
or one of the two cannot be tested; 3: nothing is proven.
With --story, 0: every story that could be played kept all promises; 1: a story broke a promise, or the application
stopped, or no emulator answers; 2: wrong usage, or a configuration or story file with problems; 3: no story could be
played.

Examples:
  $ payment-order-emulator conform --webhook-url http://127.0.0.1:3000/webhooks
  $ payment-order-emulator conform --init
  $ payment-order-emulator conform
  $ payment-order-emulator conform -- npm start
  $ payment-order-emulator conform --only K08,K20
  $ payment-order-emulator conform --story found -- npm start
  $ payment-order-emulator conform --prove main -- sh -c 'npm ci && npm start'
  $ payment-order-emulator conform test/conform.yaml --level must --junit conform.xml`,
    )
}

/** Values of `--level`. */
const levels = ['must', 'should'] as const

const collected = (text: string, before: readonly string[] = []): string[] => [...before, text]

const listed = (text: string, before: readonly string[] = []): string[] => [...before, ...text.split(',')]

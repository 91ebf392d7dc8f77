import { Command } from 'commander'
import { addServeFlags } from '../serve/serve-command.ts'

/** `sweep`: how it is called. */
export function sweepCommand(): Command {
  const command = new Command('sweep')
    .description(
      'run your tests once more for each legal behaviour of the provider: which do they not survive?',
    )
    .usage('[options] -- <command...>')
    .argument('[command...]', 'what runs your tests, with its arguments')
    // What follows the command belongs to it.
    .passThroughOptions()
    .option('--quick', 'only the eight behaviours that lose money')
    .option('--only <behaviour,...>', 'play these behaviours only (repeatable)', listed)
    .option('--skip <behaviour=reason>', 'leave one out; the report shows why (repeatable)', collected)
    .option('--list', 'list the behaviours and why they are legal, and run nothing')
    .option(
      '--report <file>',
      'JUnit XML, TAP, or JSON of vitest or jest that your tests write; {run} in it is the number of the run',
    )
    .option('--jobs <number>', 'runs at the same time, if your tests can (default: 1)')
    .option(
      '--timeout <duration>',
      'how long one run may take (default: ten times as long as your tests take)',
    )
    .option('--keep', 'with one behaviour in --only: run once, and leave the emulator open to look at')
    .option('--json', 'print the result as JSON')
    .option('--junit <file>', 'write the result for CI as JUnit XML')
    .option('--html <file>', 'write the result as one HTML page')
    .option(
      '--summary <file>',
      'append the result as Markdown (in GitHub Actions it goes to the job summary by itself)',
    )
    .addHelpText(
      'after',
      `
Your tests run twice as they are, and then again under each behaviour, beside an emulator of their own on a free port,
with the variables that exec sets. Emulators that tests start with the library play along. What your tests assert
decides; nothing has to be configured.

Results: BROKE (a test fails, and nothing excuses it), waited (what the test waits for was still on its way), gave up
(no second try after an error, which is allowed), survived, not met, flaky (did not repeat).

Exit code 0: nothing broke; 1: something did; 2: wrong usage, or the tests are not green as they are.

Examples:
  $ payment-order-emulator sweep --quick -- npm test
  $ payment-order-emulator sweep --only webhook-twice,webhook-lost -- pytest
  $ payment-order-emulator sweep --report junit-{run}.xml -- sh -c 'npx vitest run --reporter=junit --outputFile=junit-{run}.xml'
  $ payment-order-emulator sweep --only webhook-twice --keep -- npm test`,
    )
  return addServeFlags(command, { log: 'silent' })
}

const listed = (text: string, before: readonly string[] = []): string[] => [...before, ...text.split(',')]

const collected = (text: string, before: readonly string[] = []): string[] => [...before, text]

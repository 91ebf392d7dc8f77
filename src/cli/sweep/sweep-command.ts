import { Command } from 'commander'
import { addServeFlags } from '../serve/serve-command.ts'

/** Builds the `sweep` command. */
export function sweepCommand(): Command {
  const command = new Command('sweep')
    .description('rerun your tests under each legal behaviour of the service, and show which ones break them')
    .usage('[options] -- <command...>')
    .argument('[command...]', 'command that runs your tests, with its arguments')
    // The arguments after the command belong to the command.
    .passThroughOptions()
    .option('--quick', 'only the eight behaviours that can lose money')
    .option('--only <behaviour,...>', 'only these behaviours (repeatable)', listed)
    .option(
      '--skip <behaviour=reason>',
      'leave a behaviour out; the report shows the reason (repeatable)',
      collected,
    )
    .option('--list', 'list the behaviours and why they are legal, without running anything')
    .option(
      '--report <file>',
      'report that your tests write: JUnit XML, TAP, or JSON of vitest or jest; {run} is replaced by the number of the run',
    )
    .option('--jobs <number>', 'number of parallel runs, if your tests allow it (default: 1)')
    .option(
      '--timeout <duration>',
      'how long one run may take (default: ten times the usual duration of your tests)',
    )
    .option('--keep', 'with one behaviour in --only: run once, and keep the emulator running for inspection')
    .option('--json', 'print the result as JSON')
    .option('--junit <file>', 'write the result as JUnit XML, for CI')
    .option('--html <file>', 'write the result as one HTML page')
    .option(
      '--summary <file>',
      'append the result as Markdown (in GitHub Actions the job summary gets it automatically)',
    )
    .addHelpText(
      'after',
      `
Your tests run twice unchanged, and then once more under each behaviour. Each run has its own emulator on a free port
and the variables that exec sets. Emulators that tests start with the library take part too. Your assertions decide; no
configuration is needed.

Results: BROKE (a test fails, and the behaviour gives no excuse), waited (a webhook or status was still delayed when the
test failed), gave up (no retry after an error, which is allowed), survived, not met (the behaviour never occurred),
flaky (the failure did not repeat).

Exit code 0: nothing broke; 1: something broke; 2: wrong usage, or the unchanged tests fail.

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

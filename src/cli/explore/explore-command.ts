import { Command } from 'commander'

/** Builds the `explore` command. */
export function exploreCommand(): Command {
  return new Command('explore')
    .description(
      'search for stories of an order that break your application, and shrink each to the fewest acts',
    )
    .argument('[file]', 'configuration: how to reach the application (default: conform.yaml)')
    .usage('[options] [file] [-- <command...>]')
    .allowExcessArguments(false)
    .option('--time <duration>', 'how long to search, like 30s, 10m, 8h (default: 5m)')
    .option('--stories <n>', 'play at most this many stories (default: as many as there is time for)')
    .option('--acts <n>', 'the most acts of a random story, 2 to 30 (default: 12)')
    .option('--without <act,...>', 'acts that no story may have (repeatable)', collected)
    .option('--near <file>', 'search around the story in this file')
    .option('--at-once <n>', 'how many orders to play side by side, 1 to 64 (default: 16)')
    .option('--stop-at-first', 'end with the first story that breaks a promise')
    .option('--seed <text>', 'seed that makes the search repeatable (default: random)')
    .option('--out <folder>', 'where to write the stories that were found (default: found)')
    .option('--webhook-url <url>', 'webhook URL of the application')
    .option('--client <clientId>', 'client whose credentials the application uses (default: demo-client)')
    .option('--settle <duration>', 'how long the application may take to act on a webhook (default: 500ms)')
    .option('--patience <duration>', 'how long to wait at most for an expected reaction (default: 5s)')
    .option(
      '--polling <duration>',
      'how long it may need to notice a change by polling, without a webhook (default: 10s)',
    )
    .option('--json', 'print the result as JSON')
    .option('--junit <file>', 'write the result as JUnit XML, for CI')
    .option('--html <file>', 'write the result as one HTML page')
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .addHelpText(
      'after',
      `
A story is what happens to one order: what payer, customer, service, network and clock do, in any order and at the same
moment. explore plays each hazard alone, then all pairs, then random stories. It judges only what every integration has
to keep, such as: release once for each payment, release in the end what is paid, believe no forgery. A story that
breaks such a promise is shrunk to the fewest acts, repeated 20 times, and written as a file that
conform --story plays again.

It uses the configuration of conform, and needs start, probe and probe.effects. With a command after --, it starts your
application with its own emulator, and can also kill and restart it. Ctrl-C ends the search with what was found.

Exit code 0: nothing was found, or only stories that break a promise in fewer than 12 of 20 repeats; 1: a story was
found, or the application ended the search, or no emulator answers; 2: wrong usage, or a configuration with problems;
130: stopped by Ctrl-C before anything was found.

Examples:
  $ payment-order-emulator explore -- npm start
  $ payment-order-emulator explore --time 30m --stop-at-first -- npm start
  $ payment-order-emulator explore --without 'a day passes,cancel' --seed 4f2ac1d0
  $ payment-order-emulator explore --near found/released-twice.yaml --time 2m -- npm start
  $ payment-order-emulator explore test/conform.yaml --junit explore.xml --html explore.html`,
    )
}

const collected = (text: string, before: readonly string[] = []): string[] => [...before, text]

import { Command } from 'commander'

/** Builds the `learn` command. */
export function learnCommand(): Command {
  return withReading(new Command('learn'))
    .description(
      'work out the settings that make the emulator behave as the real service did in captured traffic',
    )
    .argument(
      '[captures...]',
      'HAR files, JSON lines, request logs or snapshots; a folder means all files in it',
    )
    .option('--out <file>', 'write the settings file; with --story, the folder for its files')
    .option('--force', 'overwrite existing files')
    .option('--story <requestId>', 'write what happened to one order as a scenario file and a fixture')
    .option('--settings <file>', 'with --story: the settings file that explains the webhooks')
    .option(
      '--probe <base-url>',
      'make at most 40 harmless calls to a test environment, and learn from them too',
    )
    .option('--yes', 'with --probe: answer its question, for CI')
    .option('--capture <file>', 'with --probe: also keep the calls, as JSON lines')
    .option('--access-token <text>', 'with --probe: a valid access token, or ${NAME} of a variable')
    .option('--currency <currencyId>', 'with --probe: a currency of the account (default: usd_us)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Nothing is sent anywhere, except by --probe. People and secrets are masked in everything that is printed or written.
A setting is known once two independent observations rule out every other value; unknown settings keep their default.

Exit code 0: the captures were read; 1: --story names an order that they do not have, or --probe reaches
nobody; 2: wrong usage, an unusable file, or no traffic of the service in it.

Examples:
  $ payment-order-emulator learn capture.har webhooks.jsonl --out our-account.yaml
  $ payment-order-emulator learn captures --api-secret '\${API_SECRET}' --webhook-secret '\${WEBHOOK_SECRET}' --out our-account.yaml
  $ payment-order-emulator learn captures --story 7f0e2c --out incident
  $ payment-order-emulator learn --probe https://sandbox.example.com --client shop --api-secret '\${API_SECRET}' --access-token '\${TOKEN}' --out our-account.yaml`,
    )
}

/** Builds the `drift` command. */
export function driftCommand(): Command {
  return withReading(new Command('drift'))
    .description('compare a settings file with new captures of the real service, and name what has changed')
    .argument('<settings>', 'the settings file, as learn writes it')
    .argument(
      '<captures...>',
      'HAR files, JSON lines, request logs or snapshots; a folder means all files in it',
    )
    .option('--json', 'print the result as JSON')
    .option('--junit <file>', 'write the result as JUnit XML: a test for each setting')
    .option(
      '--summary <file>',
      'append the result as Markdown (in GitHub Actions the job summary gets it automatically)',
    )
    .addHelpText(
      'after',
      `
Exit code 0: nothing contradicts the settings; 1: something does; 2: wrong usage, or an unusable file.

Examples:
  $ payment-order-emulator drift our-account.yaml new-capture.har
  $ payment-order-emulator drift our-account.yaml captures --junit drift.xml`,
    )
}

/** Adds the flags that tell how captures are read. */
const withReading = (command: Command): Command =>
  command
    .option('--client <clientId>', 'read the traffic of this account only')
    .option('--api-secret <text>', 'API secret, or ${NAME} of a variable: shows which text is signed')
    .option(
      '--webhook-secret <text>',
      'webhook secret, or ${NAME} of a variable: shows how webhooks are signed',
    )

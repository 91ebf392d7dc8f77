import { Command, Option } from 'commander'

/** Builds the `listen` command. */
export function listenCommand(): Command {
  return new Command('listen')
    .description("receive a client's webhooks, verify their signatures and print a line for each")
    .allowExcessArguments(false)
    .option('--port <number>', 'port to listen on at 127.0.0.1; 0 picks a free one (default: 4601)')
    .option(
      '--client <clientId>',
      'client whose webhooks to receive (EMULATOR_CLIENT_ID; default: demo-client)',
    )
    .option('--no-register', "do not change the client's webhook URL")
    .addOption(
      new Option(
        '--forward <url>',
        'forward each webhook to this URL, and answer with the status that it returns',
      ).conflicts('answer'),
    )
    .option('--answer <status>', 'answer with this HTTP status (default: 200)')
    .option('--url <url>', 'URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--control-token <text>', 'control token, if the emulator requires one (EMULATOR_CONTROL_TOKEN)')
    .option('--json', 'print one JSON object per line')
    .addHelpText(
      'after',
      `
Examples:
  $ payment-order-emulator listen
  $ payment-order-emulator listen --answer 500                     see how deliveries are retried
  $ payment-order-emulator listen --forward http://127.0.0.1:3000/webhook
  $ payment-order-emulator listen --client shop-a --port 0 --json

The signature headers (webhook-id, webhook-timestamp, webhook-signature) are an addition of this emulator.`,
    )
}

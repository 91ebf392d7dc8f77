import { Command, Option } from 'commander'
import { signedForms } from './options.ts'

/** `sign`: how it is called. */
export function signCommand(): Command {
  return new Command('sign')
    .description('print the string to sign and the signature for the body of a create call')
    .argument('[body]', 'JSON, a file, or - for standard input (default: standard input)')
    .allowExcessArguments(false)
    .option(
      '--secret <text>',
      'API secret (PAYMENT_ORDER_API_SECRET, EMULATOR_API_SECRET; default: demo-secret)',
    )
    .option('--curl', 'also print a command that sends the body')
    .addOption(
      new Option(
        '--form <form>',
        'with --curl: which of the two signature forms of a checkout to use (default: short)',
      ).choices(signedForms),
    )
    .option(
      '--access-token <text>',
      'with --curl: access token (PAYMENT_ORDER_ACCESS_TOKEN, EMULATOR_ACCESS_TOKEN; default: demo-token)',
    )
    .option('--url <url>', 'with --curl: URL of the emulator (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
A body with an interval is a subscription. The signature is the HMAC-SHA256 of the string, keyed with the API secret, in
base64. Values are signed exactly as the body has them: 10.00 is not 10.

Examples:
  $ payment-order-emulator sign '{"currencyId":"usd_us","fiatAmount":"10.00","requestId":"order-1"}'
  $ payment-order-emulator sign order.json --secret my-secret --json
  $ payment-order-emulator sign --curl < order.json`,
    )
}

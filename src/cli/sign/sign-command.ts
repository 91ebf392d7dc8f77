import { Command, Option } from 'commander'
import { signedForms } from './options.ts'

/** `sign`: how it is called. */
export function signCommand(): Command {
  return new Command('sign')
    .description('print the string to sign and the signature for the body of a create call')
    .argument('[body]', 'the JSON itself, a file, or - for standard input (default: standard input)')
    .allowExcessArguments(false)
    .option(
      '--secret <text>',
      'API secret (PAYMENT_ORDER_API_SECRET, EMULATOR_API_SECRET; default: demo-secret)',
    )
    .option('--curl', 'print a command that sends the body, too')
    .addOption(
      new Option(
        '--form <form>',
        'which of the two forms of a checkout the command signs (default: short)',
      ).choices(signedForms),
    )
    .option(
      '--access-token <text>',
      'of the command (PAYMENT_ORDER_ACCESS_TOKEN, EMULATOR_ACCESS_TOKEN; default: demo-token)',
    )
    .option('--url <url>', 'where the command sends it (EMULATOR_URL; default: http://127.0.0.1:4600)')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
A body with an interval is that of a subscription. The signature is HMAC-SHA256 of the string, keyed with the API
secret, in base64. Values are taken as they stand in the body: 10.00 is not 10.

Examples:
  $ payment-order-emulator sign '{"currencyId":"usd_us","fiatAmount":"10.00","requestId":"order-1"}'
  $ payment-order-emulator sign order.json --secret my-secret --json
  $ payment-order-emulator sign --curl < order.json`,
    )
}

import { Command, Option } from 'commander'
import { type ServeFlag, serveFlags } from './flags.ts'

/** Builds the `serve` command. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('start the emulator (the default command)')
    // `refuseUnknownCommand` reports them with a better message than commander.
    .allowExcessArguments()
    .addHelpText(
      'after',
      `
Each flag has an environment variable, which the flag overrides: EMULATOR_WEBHOOK_URL is --webhook-url. In variables,
repeatable flags are comma-separated lists, and switches are 1 or 0.

Examples:
  $ payment-order-emulator serve --port 4700 --database orders.db
  $ payment-order-emulator serve --clock manual --start-time 2026-01-31T12:00:00Z --seed test
  $ payment-order-emulator serve --webhook-url http://127.0.0.1:3000/webhook
  $ EMULATOR_PORT=4700 EMULATOR_LOG=json payment-order-emulator`,
    )
  return addServeFlags(command)
}

/** Adds the flags of `serve` to a command.
 *  @param fallbacks defaults that differ from those of `serve` */
export function addServeFlags(command: Command, fallbacks: Readonly<Record<string, string>> = {}): Command {
  for (const flag of serveFlags) {
    const fallback = fallbacks[flag.name] ?? flag.fallback
    command.addOption(optionOf(fallback === undefined ? flag : { ...flag, fallback }))
  }
  return command
}

function optionOf({ name, argument, repeatable, help, fallback }: ServeFlag): Option {
  const notes = [repeatable && 'repeatable', fallback !== undefined && `default: ${fallback}`].filter(Boolean)
  const words = notes.length > 0 ? `${help} (${notes.join('; ')})` : help
  const option = new Option(argument === undefined ? `--${name}` : `--${name} ${argument}`, words)
  if (repeatable)
    option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
  return option
}

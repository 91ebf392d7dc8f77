import { Argument, Command } from 'commander'

const shells = ['bash', 'zsh', 'fish'] as const

/** Builds the `completion` command. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script for shell completion of commands, flags and their values')
    .allowExcessArguments(false)
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  $ source <(payment-order-emulator completion bash)     in ~/.bashrc
  $ source <(payment-order-emulator completion zsh)      in ~/.zshrc, after compinit
  $ payment-order-emulator completion fish > ~/.config/fish/completions/payment-order-emulator.fish`,
    )
}

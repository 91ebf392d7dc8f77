import type { CompletedCommand, CompletedFlag, CompletedProgram, Values } from './completed-program.ts'

/** A completion script for zsh. */
export function zshScript({ name, commands, flags, standard }: CompletedProgram): string {
  const own = `_${name}`
  return `#compdef ${name}
# Completes ${name} in zsh: source <(${name} completion zsh), after compinit

${own}() {
  local command=$words[2]
  local -a first
  # Not "commands": that is zsh's own table of programs, which exec completes from.
  local -a subcommands=(
${commands.map((command) => `    ${quoted(`${command.name}:${command.description}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command subcommands
    return
  fi
  (( CURRENT == 2 )) && first=(${flags.map(flagSpec).join(' ')})
  case $command in
    ${commands.map((command) => command.name).join('|')}) shift words; (( CURRENT-- )) ;;
    *) command=${standard.name} ;;
  esac
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}

compdef ${own} ${name}
`
}

function commandCase(command: CompletedCommand): string {
  const specs = [...command.flags.map(flagSpec), ...argumentSpec(command)]
  return `    ${command.name})
      _arguments -S : $first \\
${specs.map((spec) => `        ${spec}`).join(' \\\n')} ;;`
}

function flagSpec({ name, description, repeatable, value }: CompletedFlag): string {
  const words = `[${described(description)}]`
  const spec = value === null ? `${name}${words}` : `${name}=${words}:${name.slice(2)}:${action(value)}`
  return quoted(`${repeatable ? '*' : ''}${spec}`)
}

const argumentSpec = ({ argument }: CompletedCommand): string[] => {
  if (argument === null) return []
  if (argument.type === 'command') return [quoted('*:::command:_normal')]
  return [quoted(`*:argument:${action(argument)}`)]
}

function action(values: Values): string {
  if (values.type === 'files') return '_files'
  if (values.type !== 'words') return ' '
  const words = values.words.join(' ')
  return values.files ? `{ compadd -- ${words}; _files }` : `(${words})`
}

/** Brackets and colons are part of a spec's grammar. */
const described = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&')

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

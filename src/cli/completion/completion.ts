import type { Command } from 'commander'
import { fixturesFolder, scenariosFolder } from '../../app/package.ts'
import { allCases } from '../../conform/cases/all.ts'
import { behaviours } from '../../domain/sweep/behaviours.ts'
import { idOf } from '../../lifecycle/scenarios/built-in.ts'
import { yamlFilesAt } from '../../lifecycle/scenarios/yaml-files.ts'
import type { Terminal } from '../terminal.ts'
import {
  type CompletedCommand,
  type CompletedFlag,
  type CompletedProgram,
  completedProgram,
  type Values,
} from './completed-program.ts'

/** Runs `completion`: prints the completion script for a shell, generated from the program. */
export async function completion(shell: string, program: Command, terminal: Terminal): Promise<number> {
  const script = scripts[shell]
  if (script === undefined) throw new Error(`no script for ${shell}`)
  const shipped = {
    scenarios: namesIn(scenariosFolder),
    fixtures: namesIn(fixturesFolder),
    cases: allCases.map(({ id }) => id),
    behaviours: behaviours.map(({ name }) => name),
  }
  terminal.out(script(completedProgram(program, shipped)).trimEnd())
  return 0
}

const namesIn = (folder: string): string[] => yamlFilesAt(folder).files.map(idOf)

const scripts: Readonly<Record<string, (program: CompletedProgram) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Generates the completion script for fish. */
function fishScript({ name, commands, flags, standard }: CompletedProgram): string {
  const own = `__${name.replaceAll('-', '_')}`
  const names = commands.map((command) => command.name).join(' ')
  return `# Completes ${name} in fish: ${name} completion fish > ~/.config/fish/completions/${name}.fish

function ${own}_first
    test (count (commandline -opc)) -eq 1
end

function ${own}_in
    set -l words (commandline -opc)
    set -l command $words[2]
    contains -- "$command" ${names}; or set command ${standard.name}
    test $command = $argv[1]
end

# The command that another program runs.
function ${own}_command
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words); or return
    complete -C (string join -- ' ' (string escape -- $words[(math $at + 1)..]) (commandline -ct))
end

complete -c ${name} -f
${commands.map((command) => `complete -c ${name} -n ${own}_first -a ${command.name} -d ${fishQuoted(command.description)}`).join('\n')}
${flags.map((flag) => `complete -c ${name} -n ${own}_first${flagEnd(flag)}`).join('\n')}
${commands.flatMap((command) => commandLines(command, name, own)).join('\n')}
`
}

function commandLines(
  { name: command, flags, argument }: CompletedCommand,
  name: string,
  own: string,
): string[] {
  const start = `complete -c ${name} -n '${own}_in ${command}'`
  const ofFlags = flags.map((flag) => `${start}${flagEnd(flag)}`)
  if (argument === null || argument.type === 'open') return ofFlags
  // The first word on the line is the name of the program.
  const there = `complete -c ${name} -n '${own}_in ${command}; and not ${own}_first'`
  return [...ofFlags, `${there} ${fishProposal(argument, own)}`]
}

function flagEnd({ name, value, description }: CompletedFlag): string {
  const values = value === null ? '' : ` ${flagValue(value)}`
  return ` -l ${name.slice(2)}${values} -d ${fishQuoted(description)}`
}

const flagValue = (values: Values): string =>
  values.type === 'open'
    ? '-x'
    : values.type === 'words' && !values.files
      ? `-x ${fishProposal(values)}`
      : `-r ${fishProposal(values)}`

function fishProposal(values: Values, own = ''): string {
  if (values.type === 'files') return '-F'
  if (values.type === 'command') return `-a '(${own}_command)' -F`
  if (values.type === 'open') return ''
  return `-a ${fishQuoted(values.words.join(' '))}${values.files ? ' -F' : ''}`
}

const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

/** Generates the completion script for zsh. */
function zshScript({ name, commands, flags, standard }: CompletedProgram): string {
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

/** Escapes brackets and colons, which are part of zsh's syntax. */
const described = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&')

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Generates the completion script for bash, 3.2 or later. */
function bashScript({ name, commands, flags, standard }: CompletedProgram): string {
  const names = commands.map((command) => command.name)
  const own = `_${name.replaceAll('-', '_')}`
  return `# Completes ${name} in bash: source <(${name} completion bash)

${own}_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }

${own}_files() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$cur"))
  compopt -o filenames 2>/dev/null
}

# The command that another program runs.
${own}_command() {
  local i
  for ((i = 2; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == -- ]]; then
      if declare -F _command_offset >/dev/null; then _command_offset $((i + 1))
      elif ((i + 1 == COMP_CWORD)); then COMPREPLY=($(compgen -c -- "$cur"))
      else ${own}_files
      fi
      return 0
    fi
  done
  return 1
}

${own}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  # bash takes --log=json for three words.
  if [[ $cur == = ]]; then cur=''
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if ((COMP_CWORD == 1)); then
    if [[ $cur == -* ]]; then ${own}_words '${flagNames([...standard.flags, ...flags])}'
    else ${own}_words '${names.join(' ')}'
    fi
    return
  fi
  case $command in
    ${names.join(' | ')}) ;;
    *) command=${standard.name} ;;
  esac
${commands
  .filter(({ argument }) => argument?.type === 'command')
  .map((command) => `  [[ $command == ${command.name} ]] && ${own}_command && return\n`)
  .join('')}  case "$command $prev" in
${commands.flatMap((command) => valueCases(command, own)).join('\n')}
  esac
  case "$command $cur" in
${commands.map((command) => `    '${command.name} '-*) ${own}_words '${flagNames(command.flags)}' ;;`).join('\n')}
${commands.flatMap((command) => argumentCase(command, own)).join('\n')}
  esac
}

complete -F ${own} ${name}
`
}

const flagNames = (flags: readonly CompletedFlag[]): string => flags.map((flag) => flag.name).join(' ')

const valueCases = ({ name, flags }: CompletedCommand, own: string): string[] =>
  flags.flatMap((flag) =>
    flag.value === null ? [] : [`    '${name} ${flag.name}') ${proposal(flag.value, own)}; return ;;`],
  )

const argumentCase = ({ name, argument }: CompletedCommand, own: string): string[] =>
  argument === null || argument.type === 'command' || argument.type === 'open'
    ? []
    : [`    '${name} '*) ${proposal(argument, own)} ;;`]

function proposal(values: Values, own: string): string {
  if (values.type === 'files') return `${own}_files`
  if (values.type !== 'words') return ':'
  const words = `${own}_words '${values.words.join(' ')}'`
  return values.files ? `${words}; ${own}_files` : words
}

import type { CompletedCommand, CompletedFlag, CompletedProgram, Values } from './completed-program.ts'

/** A completion script for bash, 3.2 or later. */
export function bashScript({ name, commands, flags, standard }: CompletedProgram): string {
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

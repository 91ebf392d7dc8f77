import type { CompletedCommand, CompletedProgram, Values } from './completed-program.ts'

/** A completion script for fish. */
export function fishScript({ name, commands, standard }: CompletedProgram): string {
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

complete -c ${name} -f
${commands.map((command) => `complete -c ${name} -n ${own}_first -a ${command.name} -d ${quoted(command.description)}`).join('\n')}
${commands.flatMap((command) => commandLines(command, name, own)).join('\n')}
`
}

function commandLines(
  { name: command, flags, argument }: CompletedCommand,
  name: string,
  own: string,
): string[] {
  const start = `complete -c ${name} -n '${own}_in ${command}'`
  const ofFlags = flags.map((flag) => {
    const value = flag.value === null ? '' : ` ${flagValue(flag.value)}`
    return `${start} -l ${flag.name.slice(2)}${value} -d ${quoted(flag.description)}`
  })
  if (argument === null || argument.type === 'open') return ofFlags
  // The first word is the command itself.
  const there = `complete -c ${name} -n '${own}_in ${command}; and not ${own}_first'`
  return [...ofFlags, `${there} ${proposal(argument)}`]
}

const flagValue = (values: Values): string =>
  values.type === 'open'
    ? '-x'
    : values.type === 'words' && !values.files
      ? `-x ${proposal(values)}`
      : `-r ${proposal(values)}`

function proposal(values: Values): string {
  if (values.type === 'files') return '-F'
  if (values.type === 'command') return "-a '(__fish_complete_command)' -F"
  if (values.type === 'open') return ''
  return `-a ${quoted(values.words.join(' '))}${values.files ? ' -F' : ''}`
}

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

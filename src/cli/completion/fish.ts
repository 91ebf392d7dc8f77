import type { CompletedCommand, CompletedFlag, CompletedProgram, Values } from './completed-program.ts'

/** A completion script for fish. */
export function fishScript({ name, commands, flags, standard }: CompletedProgram): string {
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
${commands.map((command) => `complete -c ${name} -n ${own}_first -a ${command.name} -d ${quoted(command.description)}`).join('\n')}
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
  // The first word is the command itself.
  const there = `complete -c ${name} -n '${own}_in ${command}; and not ${own}_first'`
  return [...ofFlags, `${there} ${proposal(argument, own)}`]
}

function flagEnd({ name, value, description }: CompletedFlag): string {
  const values = value === null ? '' : ` ${flagValue(value)}`
  return ` -l ${name.slice(2)}${values} -d ${quoted(description)}`
}

const flagValue = (values: Values): string =>
  values.type === 'open'
    ? '-x'
    : values.type === 'words' && !values.files
      ? `-x ${proposal(values)}`
      : `-r ${proposal(values)}`

function proposal(values: Values, own = ''): string {
  if (values.type === 'files') return '-F'
  if (values.type === 'command') return `-a '(${own}_command)' -F`
  if (values.type === 'open') return ''
  return `-a ${quoted(values.words.join(' '))}${values.files ? ' -F' : ''}`
}

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

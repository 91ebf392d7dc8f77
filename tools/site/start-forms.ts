/** A command of the emulator's program. */
const command = /\bnpm start(?: --)?(?= |$)/

const start = 'docker run --rm --name emulator -p 127.0.0.1:4600:4600'
const hint = '# from the container, this machine is host.docker.internal instead of 127.0.0.1'
/** The commands that work in the emulator's container: they need no file, and no port but the emulator's. */
const inContainer = /^(listen|status|wait|explain|health)\b/

/** A block of shell commands with `npm start`, as the tabs npx, Docker and Clone of the site; as it is if it has none. */
export function withStartTabs(block: string): string {
  const [, code = ''] = /^```sh\n([\s\S]*?)\n?```$/.exec(block) ?? []
  if (!command.test(code.replaceAll('\n', ' '))) return block
  const lines = code.split('\n')
  const npx = lines.map((line) => line.replace(command, 'npx payment-order-emulator'))
  const docker = lines.flatMap(inDocker)
  return tabs([
    ['npx', npx.join('\n')],
    ...(docker.includes(null) ? [] : [['Docker', docker.join('\n')] as const]),
    ['Clone', code],
  ])
}

/** A line as it is with the emulator in a container; null for a command that needs files of the reader or reaches programs
 *  outside the container. */
function inDocker(line: string): (string | null)[] {
  const [before = '', after] = line.split(command)
  if (after === undefined) return [line]
  const rest = after.trim()
  if (before !== '' || /\.ya?ml\b/.test(rest)) return [null]
  if (inContainer.test(rest)) return [`docker exec -it emulator payment-order-emulator ${rest}`]
  if (rest !== '' && !rest.startsWith('--')) return [null]
  return [
    hint,
    `${start} --add-host host.docker.internal:host-gateway payment-order-emulator ${rest}`.trimEnd(),
  ]
}

/** The three ways to start of the README, each with a sentence and a block, as tabs. */
export function startTabs(readme: string): string {
  const ways = /\*\*(npx|Container|Clone)\.\*\* (.+)\n\n(?:<!-- .* -->\n)?```sh\n([\s\S]*?)\n```\n/g
  const found = new Map(
    [...readme.matchAll(ways)].map(([all, name = '', about = '', code = '']) => [name, { all, about, code }]),
  )
  const [first] = found.values()
  const [npx, container, clone] = ['npx', 'Container', 'Clone'].map((name) => found.get(name))
  if (first === undefined || !npx || !container || !clone)
    throw new Error('README.md does not name three ways to start')
  const group = tabs([
    ['npx', npx.code],
    ['Docker', container.code],
    ['Clone', clone.code],
  ])
  const notes = [
    ['npx', npx],
    ['Docker', container],
    ['Clone', clone],
  ] as const
  const about = notes.map(([name, { about }]) => `- **${name}:** ${about.replace(/:$/, '.')}`).join('\n')
  const without = [npx, container, clone]
    .filter((way) => way !== first)
    .reduce((text, { all }) => text.replace(all, () => ''), readme)
  return without.replace(first.all, () => `${group}\n\n${about}\n`)
}

function tabs(forms: readonly (readonly [name: string, code: string])[]): string {
  const blocks = forms.map(([name, code]) => `\`\`\`sh [${name}]\n${code}\n\`\`\``)
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`
}

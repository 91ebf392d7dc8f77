/** What each key does while the emulator runs. */
export const keyTable = [
  { key: 'o', name: 'dashboard', does: 'open the dashboard in a browser' },
  { key: 'a', name: 'next', does: "move the demo client's clock to the next due event" },
  { key: 'A', name: 'advance', does: "move the demo client's clock forward by a duration, like 10m" },
  { key: 'q', name: 'quit', does: 'finish requests and deliveries in flight, then quit, like Ctrl-C' },
  { key: 'h', name: 'help', does: 'show more about this start, and these keys (also ?)' },
] as const

/** The keys in one line. */
export const keysLine = `Keys: ${keyTable.map(({ key, name }) => `${key} ${name}`).join(' · ')}`

/** The keys with what they do, a line each. */
export const keysHelp = keyTable.map(({ key, does }) => `  ${key}  ${does}`).join('\n')

/** What a key stands for; undefined if it does nothing. */
export const nameOf = (key: string): (typeof keyTable)[number]['name'] | undefined =>
  keyTable.find((row) => row.key === (key === '?' ? 'h' : key))?.name

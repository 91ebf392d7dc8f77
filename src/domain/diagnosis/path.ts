import { nearest } from '../text/issue-words.ts'
import type { Cause } from './causes.ts'

/** Mistakes in paths, each as the change that corrects it. The first that gives a known path is reported; each row
 *  applies to the result of the rows above. */
const rows: readonly (readonly [cause: Cause, words: string, repair: (path: string) => string])[] = [
  ['path.encoded', 'send it without percent-encoding and spaces', decoded],
  ['path.doubled-slash', 'remove the double slash', (path) => path.replaceAll(/\/{2,}/g, '/')],
  ['path.trailing-slash', 'remove the slash at its end', (path) => path.replace(/(?<=.)\/$/, '')],
  ['path.letter-case', 'write it in lower case', (path) => path.toLowerCase()],
  [
    'path.version',
    'it must have `/v1` only once, at its start',
    (path) => path.replace(/^(?:\/v\d+(?:\.\d+)?)*\/client(?=\/)/, '/v1/client'),
  ],
  [
    'path.prefix',
    'it must start with `/v1`',
    (path) => path.replace(/^\/.*?(?:\/v\d+)?\/client(?=\/)/, '/v1/client'),
  ],
]

/** Explains why there is nothing at a path.
 *  @param served the served paths
 *  @param unserved documented paths that a setting has switched off */
export function diagnosePath(
  path: string,
  served: readonly string[],
  unserved: readonly string[],
): { cause: Cause; words: string } {
  if (unserved.includes(path))
    return {
      cause: 'path.not-served',
      words: 'the setting `paths.webhookUrl` serves only the other of the two paths',
    }
  let repaired = path.slice(0, longestCharacters)
  const done: (typeof rows)[number][] = []
  for (const row of rows) {
    const next = row[2](repaired)
    if (next === repaired) continue
    repaired = next
    done.push(row)
    if (served.includes(repaired)) return { cause: done[0]?.[0] ?? row[0], words: inWords(done, repaired) }
  }
  const parent = served.find((known) => repaired.startsWith(`${known}/`))
  if (parent !== undefined) {
    const words = `the path takes no parameters; send them in the query of ${parent}`
    return { cause: 'path.parameter', words }
  }
  const near = nearest(path, served)
  return {
    cause: 'path.unknown',
    words: near === undefined ? 'there is no similar path' : `the nearest is ${near}`,
  }
}

const longestCharacters = 1_000

const inWords = (done: readonly (typeof rows)[number][], path: string) =>
  `${done.map(([, words]) => words).join(', and ')}: ${path}`

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).trim()
  } catch {
    return path
  }
}

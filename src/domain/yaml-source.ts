import { Composer, LineCounter, type YAMLError } from 'yaml'
import type { z } from 'zod'
import { type Problem, problemsIn } from './problems.ts'
import { type Flaw, yamlTokens } from './yaml-tokens.ts'
import { flawsOf, offsetOf, plainValue } from './yaml-value.ts'

/** A place in a file, line and column counted from 1, and what is wrong there. */
export interface SourceProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A YAML file that was read. Its value counts only if there are no problems. */
export interface YamlSource {
  readonly file: string
  readonly value: unknown
  readonly problems: readonly SourceProblem[]
  /** Where the value at a path begins, or its key. What is missing is where the member it belongs to begins. */
  locate(path: Problem['path'], at?: 'key' | 'value'): { line: number; column: number }
}

/** Reads YAML 1.2 strictly: one document of the core schema, whose every number and key means what it says.
 *  Refused are duplicate keys, anchors, aliases, merge keys, directives, unknown tags, numbers too large to be
 *  exact, more than 64 levels, more than 1 MiB, and byte order marks. An empty file has the value `null`. */
export function readYaml(text: string, file: string): YamlSource {
  const { root, flaws } = parse(text)
  const position = positionsIn(text)
  const problems = flaws.map(({ offset, message }) => ({ file, ...position(offset), message }))
  const locate: YamlSource['locate'] = (path, at = 'value') => position(offsetOf(root, path, at))
  return { file, value: plainValue(root), problems, locate }
}

/** Gives problems of a file's value their places in the file, in the order of the file. */
export function problemsOf(
  wrong: z.core.$ZodError | readonly Problem[],
  source: YamlSource,
): SourceProblem[] {
  const problems = 'issues' in wrong ? problemsIn(wrong) : wrong
  const located = problems
    .slice(0, maxProblems)
    .map(({ path, message, at }) => ({ file: source.file, ...source.locate(path, at), message }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
  const more = problems.length - located.length
  const last = located.at(-1)
  return more > 0 && last ? [...located, { ...last, message: `and ${more} problems more` }] : located
}

/** `scenarios/x.yaml:3:5: unknown key ...` */
export function formatProblem({ file, line, column, message }: SourceProblem): string {
  return `${file}:${line}:${column}: ${message}`
}

const maxProblems = 50

const options = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  // The check of the library compares each key with each other; `flawsOf` finds them in one pass.
  uniqueKeys: false,
} as const

function parse(text: string): { root: unknown; flaws: Flaw[] } {
  const { tokens, flaws } = yamlTokens(text)
  if (flaws.length > 0) return { root: null, flaws }

  const [document, second] = [...new Composer(options).compose(tokens, true, text.length)]
  const syntax = document?.errors.toSorted((a, b) => a.pos[0] - b.pos[0]).map(flaw) ?? []
  // After a syntax error the rest is guesswork, so only the first is told.
  if (syntax.length > 0) return { root: null, flaws: syntax.slice(0, 1) }
  if (second !== undefined)
    return { root: null, flaws: [{ offset: second.range[0], message: severalDocuments }] }

  const root = document?.contents
  return { root, flaws: [...(document?.warnings.map(flaw) ?? []), ...flawsOf(root)].slice(0, maxProblems) }
}

const severalDocuments = 'a second document begins here; a file holds one'

function flaw({ code, message, pos }: YAMLError): Flaw {
  return { offset: pos[0], message: plainWords.get(code) ?? plainText(message) }
}

/** The parser's own words, but for the commonest slip: it has no code of its own. */
const plainText = (message: string): string =>
  message.startsWith('Implicit map keys need')
    ? 'expected `key: value`; there is no colon'
    : message.slice(0, 200)

const plainWords = new Map<YAMLError['code'], string>([
  ['TAB_AS_INDENT', 'a tab cannot indent; use spaces'],
  ['BLOCK_AS_IMPLICIT_KEY', 'a mapping cannot begin here; begin a new line, or put the text in quotes'],
  [
    'MULTILINE_IMPLICIT_KEY',
    'a key must be on one line; is there a `:` too few, or a line indented wrongly?',
  ],
  ['NON_STRING_KEY', 'a key must be text'],
])

function positionsIn(text: string): (offset: number) => { line: number; column: number } {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
  return (offset) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}

import { Composer, type CST, type Document, LineCounter, type YAMLError } from 'yaml'
import type { z } from 'zod'
import { jsonNodes } from './json-nodes.ts'
import { holdsMore, nestsDeeper } from './json-text.ts'
import { type Problem, problemsIn } from './problems.ts'
import { fileText, type TextLimit } from './text-limits.ts'
import { type Flaw, maxDepth, refusedText, yamlTokens } from './yaml-tokens.ts'
import { flawsOf, offsetOf, plainValue } from './yaml-value.ts'

/** A place in a file, line and column counted from 1, and what is wrong there. */
export interface SourceProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A YAML or JSON file that was read. Its value counts only if there are no problems. */
export interface YamlSource {
  readonly file: string
  readonly value: unknown
  readonly problems: readonly SourceProblem[]
  /** Where the value at a path begins, or its key. What is missing is where the member it belongs to begins. */
  locate(path: Problem['path'], at?: 'key' | 'value'): { line: number; column: number }
}

/** Reads YAML 1.2, and so JSON, strictly: one document of the core schema, whose every number and key means what it
 *  says. Refused are duplicate keys, anchors, aliases, merge keys, directives, unknown tags, numbers too large to be
 *  exact, more than 64 levels, more than the limit, and byte order marks. An empty file has the value `null`. */
export function readYaml(text: string, file: string, limit: TextLimit = fileText): YamlSource {
  const { root, flaws } = parse(text, limit)
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
  return more > 0 && last ? [...located, { ...last, message: `and ${more} more problems` }] : located
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

function parse(text: string, limit: TextLimit): { root: unknown; flaws: Flaw[] } {
  const refused = refusedText(text, limit)
  if (refused !== undefined) return { root: null, flaws: [{ offset: 0, message: refused }] }
  if (isJson(text, limit)) {
    const root = jsonNodes(text)
    return { root, flaws: flawsOf(root).slice(0, maxProblems) }
  }
  const { tokens, flaws } = yamlTokens(text, limit)
  if (flaws.length > 0) return { root: null, flaws }

  const [document, second] = composed(tokens, text.length)
  const syntax = document?.errors.toSorted((a, b) => a.pos[0] - b.pos[0]).map(flaw) ?? []
  // After a syntax error the rest is guesswork, so only the first is told.
  if (syntax.length > 0) return { root: null, flaws: syntax.slice(0, 1) }
  if (second !== undefined)
    return { root: null, flaws: [{ offset: second.range[0], message: severalDocuments }] }

  const root = document?.contents
  return { root, flaws: [...(document?.warnings.map(flaw) ?? []), ...flawsOf(root)].slice(0, maxProblems) }
}

/** The first two documents of a text. Of errors only places and words are used; to trace where each was made takes
 *  ten times as long as all the rest. */
function composed(tokens: Iterable<CST.Token>, length: number): (Document.Parsed | undefined)[] {
  const traced = Error.stackTraceLimit
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    const [first, second] = new Composer(options).compose(tokens, true, length)
    return [first, second]
  } finally {
    Reflect.set(Error, 'stackTraceLimit', traced)
  }
}

/** Whether a text is JSON within the limits. All else is read as YAML, which knows the place of what is wrong. */
function isJson(text: string, { tokens }: TextLimit): boolean {
  if (!/^\s*[[{]/.test(text) || nestsDeeper(text, maxDepth) || holdsMore(text, tokens)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const severalDocuments = 'a second document begins here; a file may contain only one'

function flaw({ code, message, pos }: YAMLError): Flaw {
  return { offset: pos[0], message: plainWords.get(code) ?? plainText(message) }
}

/** The parser's own words, but for the commonest slip: it has no code of its own. */
const plainText = (message: string): string =>
  message.startsWith('Implicit map keys need')
    ? 'expected `key: value`; the colon is missing'
    : message.slice(0, 200)

const plainWords = new Map<YAMLError['code'], string>([
  ['TAB_AS_INDENT', 'tabs cannot be used for indentation; use spaces'],
  ['BLOCK_AS_IMPLICIT_KEY', 'a mapping cannot begin here; begin a new line, or put the text in quotes'],
  ['MULTILINE_IMPLICIT_KEY', 'a key must be on one line; check for a missing `:` or a wrong indentation'],
  ['NON_STRING_KEY', 'a key must be text'],
])

function positionsIn(text: string): (offset: number) => { line: number; column: number } {
  let lines: LineCounter | undefined
  return (offset) => {
    lines ??= linesOf(text)
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
  return lines
}

import {
  Composer,
  CST,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Pair,
  Parser,
  Scalar,
  type YAMLError,
  YAMLMap,
  YAMLSeq,
} from 'yaml'
import type * as z from 'zod'
import { ticked } from './issue-words.ts'
import { endOfString, holdsMore, nestsDeeper } from './json-text.ts'
import { fileText, type TextLimit, tooLarge } from './limits.ts'
import { type Problem, problemsIn } from './problems.ts'

/** A problem in a text, at a position counted in UTF-16 units from its start. */
interface Flaw {
  readonly offset: number
  readonly message: string
}

/** The maximum nesting of a YAML or JSON text. */
const maxDepth = 64

/** Splits a text into tokens, or reports why it is rejected before its values are read. The time, memory and stack
 *  that a hostile or mistaken file could cost are bounded here. The parser keeps its own stack, while composing
 *  values recurses as deep as the file and takes a kilobyte for each token. */
function yamlTokens(text: string, limit: TextLimit): { tokens: CST.Token[]; flaws: Flaw[] } {
  const lexed = lexemesIn(text, limit.tokens)
  if ('end' in lexed) {
    const message = `has more than ${limit.tokens} tokens (words, marks and line breaks); ${limit.advice}`
    return { tokens: [], flaws: [{ offset: lexed.end, message }] }
  }
  const tokens: CST.Token[] = []
  const flaws: Flaw[] = []
  const parser = new Parser()
  let type: CST.TokenType | null = null
  for (const lexeme of lexed.lexemes) {
    type = type === 'scalar' ? null : CST.tokenType(lexeme)
    const message = refusedTokens.get(type)
    if (message !== undefined) flaws.push({ offset: parser.offset, message })
    if (type === 'double-quoted-scalar' && lexeme.length > maxQuoted)
      return { tokens: [], flaws: [{ offset: parser.offset, message: longQuoted }] }
    for (const token of parser.next(lexeme)) tokens.push(token)
    const isDeep = depth(parser) > maxDepth
    if (isDeep) flaws.push({ offset: parser.offset, message: `nested deeper than ${maxDepth} levels` })
    if (isDeep || flaws.length >= maxFlaws) return { tokens: [], flaws }
    // After a syntax error the rest of the text cannot be read reliably.
    if (tokens.at(-1)?.type === 'error') break
  }
  return { tokens: [...tokens, ...parser.end()], flaws }
}

/** The reason why a text is rejected as a whole: its encoding or its size. */
function refusedText(text: string, limit: TextLimit): string | undefined {
  if (text.startsWith('\uFEFF')) return 'begins with a byte order mark; save the file as UTF-8 without it'
  if (text.startsWith('\uFFFD')) return 'is not UTF-8 text; save the file as UTF-8'
  if (text.includes('\0')) return 'contains a NUL byte, so it is not UTF-8 text; save the file as UTF-8'
  if (text.length > limit.bytes || new TextEncoder().encode(text).length > limit.bytes) return tooLarge(limit)
  return undefined
}

const maxFlaws = 10

/** The maximum length of a double-quoted text, because the composer needs forty times its size. */
const maxQuoted = 256 * 1024
const longQuoted =
  'a string in double quotes may have at most 256 KiB; write it as a block (|), or write the file as JSON'

const noAliases =
  'anchors and aliases (& and *) are not supported here; write the value out, or put the text in quotes'
const refusedTokens = new Map<CST.TokenType | null, string>([
  ['anchor', noAliases],
  ['alias', noAliases],
  ['directive-line', 'directives (lines that begin with %) are not supported here'],
])

/** Splits a text into lexemes, or returns the position where it exceeds the limit. Each line counts: the lines of
 *  one scalar are a single lexeme, but cost as much as others. */
function lexemesIn(text: string, limit: number): { lexemes: string[] } | { end: number } {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines > limit) return { end: at }
  }
  const lexemes: string[] = []
  let count = 0
  let end = 0
  for (const lexeme of new Lexer().lex(text)) {
    lexemes.push(lexeme)
    if (marks.has(lexeme)) continue
    if (!isSpace(lexeme)) count += 1
    if (count > limit) return { end }
    end += lexeme.length
  }
  return { lexemes }
}

/** Token types that have no text of their own. */
const marks = new Set<string>([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR])

const isSpace = (lexeme: string) => lexeme.startsWith(' ') || lexeme.startsWith('\t')

function depth({ stack }: Parser): number {
  return stack.length <= maxDepth ? stack.length : stack.filter(CST.isCollection).length
}

/** Converts a YAML node to a plain value. Keys become own fields, `__proto__` too. */
function plainValue(node: unknown): unknown {
  if (isMap(node))
    return Object.fromEntries(node.items.map(({ key, value }) => [keyText(key), plainValue(value)]))
  if (isSeq(node)) return node.items.map(plainValue)
  return isScalar(node) ? node.value : null
}

/** Finds valid YAML that would mislead a reader: a repeated key, a merge key, a number that changes when it is read. */
function flawsOf(node: unknown): Flaw[] {
  if (isMap(node)) return [...keyFlaws(node), ...node.items.flatMap(({ value }) => flawsOf(value))]
  if (isSeq(node)) return node.items.flatMap(flawsOf)
  if (!isScalar(node) || typeof node.value !== 'number') return []
  if (!Number.isFinite(node.value))
    return [{ offset: startOf(node), message: `${ticked(node.source ?? '')} is not a valid number here` }]
  const exact = !Number.isInteger(node.value) || Number.isSafeInteger(node.value)
  return exact
    ? []
    : [
        {
          offset: startOf(node),
          message: `${ticked(node.source ?? '')} is too large to be represented exactly; put it in quotes`,
        },
      ]
}

/** The position of the key or value at the end of a path. A path that leads nowhere ends at the last node found. */
function offsetOf(root: unknown, path: readonly (string | number)[], at: 'key' | 'value'): number {
  let node = root
  let offset = startOf(root)
  for (const [index, segment] of path.entries()) {
    const pair = isMap(node) ? node.items.find(({ key }) => keyText(key) === String(segment)) : undefined
    const value = isSeq(node) ? node.items[Number(segment)] : pair?.value
    if (pair === undefined && value === undefined) break
    const wantsKey = at === 'key' && index === path.length - 1
    offset = startOf(pair !== undefined && (wantsKey || isEmpty(value)) ? pair.key : value)
    node = value
  }
  return offset
}

function keyFlaws({ items }: YAMLMap): Flaw[] {
  const seen = new Set<string>()
  return items.flatMap(({ key }) => {
    const text = keyText(key)
    if (text === '<<')
      return [
        { offset: startOf(key), message: 'merge keys (<<) are not supported here; write the fields out' },
      ]
    if (seen.has(text)) return [{ offset: startOf(key), message: `${ticked(text)} occurs twice` }]
    seen.add(text)
    return []
  })
}

const keyText = (key: unknown): string => (isScalar(key) ? String(key.value) : '')

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0)

/** Whether a value is empty; a problem is then shown at its key. */
const isEmpty = (node: unknown): boolean => !isNode(node) || node.range?.[0] === node.range?.[1]

/** The nodes of a JSON text with their positions, like those of a YAML parser.
 *  @param text valid JSON */
function jsonNodes(text: string): Scalar | YAMLMap | YAMLSeq {
  let at = 0

  function node(): Scalar | YAMLMap | YAMLSeq {
    skip()
    const start = at
    const made = text[at] === '{' ? mapping() : text[at] === '[' ? list() : scalar()
    made.range = [start, at, at]
    return made
  }

  function mapping(): YAMLMap {
    const map = new YAMLMap()
    for (at += 1; !ends('}'); ) map.items.push(new Pair(node(), node()))
    return map
  }

  function list(): YAMLSeq {
    const seq = new YAMLSeq()
    for (at += 1; !ends(']'); ) seq.items.push(node())
    return seq
  }

  function scalar(): Scalar {
    const start = at
    if (text[at] === '"') at = endOfString(text, at) + 1
    else while (at < text.length && !ending.has(text[at])) at += 1
    const source = text.slice(start, at)
    const made = new Scalar<unknown>(JSON.parse(source))
    made.source = source
    return made
  }

  function ends(bracket: string): boolean {
    skip()
    if (text[at] !== bracket) return false
    at += 1
    return true
  }

  function skip(): void {
    while (between.has(text[at])) at += 1
  }

  return node()
}

const between = new Set<string | undefined>([' ', '\t', '\n', '\r', ',', ':'])
const ending = new Set<string | undefined>([...between, '}', ']'])

/** A problem at a place in a file, line and column counted from 1. */
export interface SourceProblem {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A YAML or JSON file that was read. Its value is usable only if there are no problems. */
export interface YamlSource {
  readonly file: string
  readonly value: unknown
  readonly problems: readonly SourceProblem[]
  /** Finds the position of the value at a path, or of its key. A missing value is placed at its parent. */
  locate(path: Problem['path'], at?: 'key' | 'value'): { line: number; column: number }
}

/** Reads YAML 1.2, and so JSON, strictly: one document of the core schema, in which every number and key means what
 *  it says. It rejects duplicate keys, anchors, aliases, merge keys, directives, unknown tags, inexact numbers, more
 *  than 64 levels, more than the limit, and byte order marks. An empty file has the value `null`. */
export function readYaml(text: string, file: string, limit: TextLimit = fileText): YamlSource {
  const { root, flaws } = parse(text, limit)
  const position = positionsIn(text)
  const problems = flaws.map(({ offset, message }) => ({ file, ...position(offset), message }))
  const locate: YamlSource['locate'] = (path, at = 'value') => position(offsetOf(root, path, at))
  return { file, value: plainValue(root), problems, locate }
}

/** Adds positions in the file to problems of its value, and sorts them. */
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

/** Formats a problem as `scenarios/x.yaml:3:5: unknown key ...`. */
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
  // The library's check compares every key with every other; `flawsOf` finds repeated keys in one pass.
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
  // Only the first syntax error is reported, because the rest of the text cannot be read reliably.
  if (syntax.length > 0) return { root: null, flaws: syntax.slice(0, 1) }
  if (second !== undefined)
    return { root: null, flaws: [{ offset: second.range[0], message: severalDocuments }] }

  const root = document?.contents
  return { root, flaws: [...(document?.warnings.map(flaw) ?? []), ...flawsOf(root)].slice(0, maxProblems) }
}

/** Composes the first two documents of a text. Only places and messages of errors are used; their stack traces would
 *  take ten times as long as everything else. */
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

/** Whether a text is JSON within the limits. Other texts are read as YAML, whose parser knows the place of a
 *  problem. */
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

/** The parser's own message, except for the most common typo, which has no code of its own. */
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

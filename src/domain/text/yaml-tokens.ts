import { CST, Lexer, Parser } from 'yaml'
import { type TextLimit, tooLarge } from './limits.ts'

/** A problem in a text, at a position counted in UTF-16 units from its start. */
export interface Flaw {
  readonly offset: number
  readonly message: string
}

/** The maximum nesting of a text. */
export const maxDepth = 64

/** The tokens of a text, or the reason why it is refused before its values are read. Everything that a hostile or
 *  mistaken file could cost in time, memory or stack is bounded here: the parser keeps its own stack, while
 *  composing values recurses as deep as the file, and takes a kilobyte for each token. */
export function yamlTokens(text: string, limit: TextLimit): { tokens: CST.Token[]; flaws: Flaw[] } {
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
    // After a syntax error the rest is guesswork.
    if (tokens.at(-1)?.type === 'error') break
  }
  return { tokens: [...tokens, ...parser.end()], flaws }
}

/** The reason why a text is refused as a whole. */
export function refusedText(text: string, limit: TextLimit): string | undefined {
  if (text.startsWith('\uFEFF')) return 'begins with a byte order mark; save the file as UTF-8 without it'
  if (text.startsWith('\uFFFD')) return 'is not UTF-8 text; save the file as UTF-8'
  if (text.includes('\0')) return 'contains a NUL byte, so it is not UTF-8 text; save the file as UTF-8'
  if (text.length > limit.bytes || new TextEncoder().encode(text).length > limit.bytes) return tooLarge(limit)
  return undefined
}

const maxFlaws = 10

/** The composer reads a double-quoted text character by character, and needs forty times its size for that. */
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

/** The lexemes of a text, or the position where it exceeds the limit. Each line counts: those of one scalar are a
 *  single lexeme, but cost as much as others. */
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

/** Lexemes without a text. */
const marks = new Set<string>([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR])

const isSpace = (lexeme: string) => lexeme.startsWith(' ') || lexeme.startsWith('\t')

function depth({ stack }: Parser): number {
  return stack.length <= maxDepth ? stack.length : stack.filter(CST.isCollection).length
}

import { CST, Lexer, Parser } from 'yaml'

/** Something wrong in a text, at a place counted in UTF-16 units from its start. */
export interface Flaw {
  readonly offset: number
  readonly message: string
}

/** Why a text is no file of ours before its values are looked at, or its tokens if it may be one.
 *
 *  Everything a hostile or mistaken file could cost time or stack with ends here: the parser keeps its own
 *  stack, while composing values recurses as deep as the file goes. */
export function yamlTokens(text: string): { tokens: CST.Token[]; flaws: Flaw[] } {
  const refused = refusedText(text)
  if (refused !== undefined) return { tokens: [], flaws: [{ offset: 0, message: refused }] }

  const tokens: CST.Token[] = []
  const flaws: Flaw[] = []
  const parser = new Parser()
  let type: CST.TokenType | null = null
  for (const lexeme of new Lexer().lex(text)) {
    type = type === 'scalar' ? null : CST.tokenType(lexeme)
    const message = refusedTokens.get(type)
    if (message !== undefined) flaws.push({ offset: parser.offset, message })
    tokens.push(...parser.next(lexeme))
    if (depth(parser) > maxDepth)
      flaws.push({ offset: parser.offset, message: `nested deeper than ${maxDepth} levels` })
    if (flaws.length >= maxFlaws || depth(parser) > maxDepth) return { tokens: [], flaws }
  }
  return { tokens: [...tokens, ...parser.end()], flaws }
}

const maxBytes = 1024 * 1024
const maxDepth = 64
const maxFlaws = 10

const noAliases = 'anchors and aliases (& and *) are not used here; write the value out, or quote the text'
const refusedTokens = new Map<CST.TokenType | null, string>([
  ['anchor', noAliases],
  ['alias', noAliases],
  ['directive-line', 'directives (lines that begin with %) are not used here'],
])

function refusedText(text: string): string | undefined {
  if (text.startsWith('\uFEFF')) return 'begins with a byte order mark; save the file as UTF-8 without one'
  if (text.startsWith('\uFFFD')) return 'is no UTF-8 text; save the file as UTF-8'
  if (text.includes('\0')) return 'has a NUL byte, so it is no UTF-8 text; save the file as UTF-8'
  if (text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes)
    return 'is larger than 1 MiB'
  return undefined
}

function depth({ stack }: Parser): number {
  return stack.length <= maxDepth ? stack.length : stack.filter(CST.isCollection).length
}

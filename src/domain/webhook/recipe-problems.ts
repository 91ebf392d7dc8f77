import type { Problem } from '../text/problems.ts'

/** The parts of a recipe that problems depend on. */
export interface RecipeText {
  readonly header: string
  readonly format: string
  readonly signed: string
  readonly encoding: keyof typeof alphabets
  readonly timestamp: keyof typeof timestampCharacters
  readonly headers: Readonly<Record<string, string>>
  readonly keyId?: string | undefined
  readonly separator: string
}

const alphabets = { hex: /[\da-f]/i, base64: /[A-Za-z\d+/=]/, base64url: /[\w-]/ } as const
const timestampCharacters = { seconds: /\d/, milliseconds: /\d/, iso: /[\dTZ:.-]/ } as const

const placeholder = /\$\{([^}:]*)[^}]*\}/g

/** The names of the placeholders of a text, in their order. */
const namesIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name = '']) => name)

/** Finds the reasons why no receiver could verify by a recipe. */
export function recipeProblems(recipe: RecipeText): Problem[] {
  const { header, format, signed, headers, keyId } = recipe
  const templates = [
    { path: ['format'], text: format },
    ...Object.entries(headers).map(([name, text]) => ({ path: ['headers', name], text })),
  ]
  const sent = new Set(templates.flatMap(({ text }) => namesIn(text)))
  const inSigned = new Set(namesIn(signed))
  const problems: Problem[] = []
  if (!inSigned.has('body') && !inSigned.has('bodyHash'))
    problems.push({
      path: ['signed'],
      message: 'needs `${body}` or `${bodyHash}`: anyone could change the body',
    })
  for (const name of ['timestamp', 'id'])
    if (inSigned.has(name) && !sent.has(name))
      problems.push({
        path: ['signed'],
        message: `names \${${name}}, which no header sends, so a receiver could not verify; add it to \`format\` or \`headers\``,
      })
  const signatures = namesIn(format).filter((name) => name === 'signature').length
  if (signatures !== 1)
    problems.push({
      path: ['format'],
      message: `needs \`\${signature}\` exactly once, not ${signatures === 0 ? 'nowhere' : `${signatures} times`}`,
    })
  if (Object.hasOwn(headers, header))
    problems.push({
      path: ['headers', header],
      message: `is the header of the signature already; use another name`,
    })
  if (keyId === undefined && (inSigned.has('keyId') || sent.has('keyId')))
    problems.push({ path: [], message: 'names `${keyId}`, which has no value without `keyId`' })
  for (const { path, text } of templates) problems.push(...unreadable(text, path, recipe))
  return problems
}

/** Finds the reasons why the values of a header could not be read from it. */
function unreadable(text: string, path: readonly string[], recipe: RecipeText): Problem[] {
  const literal = text.replaceAll(placeholder, '')
  if (!/^[\x20-\x7e]*$/.test(literal) || text !== text.trim())
    return [{ path, message: 'must be printable ASCII without spaces at its ends, as headers are' }]
  const [formatted] = /\$\{(?:timestamp|id):[^}]*\}|\$\{signature:[^}]*\d[^}]*\}/.exec(text) ?? []
  if (formatted !== undefined)
    return [
      {
        path,
        message: `changes a value in ${formatted}, which receivers would have to undo; leave the format out`,
      },
    ]
  const characters: Readonly<Record<string, RegExp>> = {
    signature: alphabets[recipe.encoding],
    timestamp: timestampCharacters[recipe.timestamp],
    id: /[\w.-]/,
  }
  const pieces = text.split(/(\$\{[^}]*\})/)
  return pieces.flatMap((piece, index): Problem[] => {
    const [name] = namesIn(piece)
    const own = name === undefined ? undefined : characters[name]
    const next = pieces[index + 1] || pieces[index + 2]
    if (own === undefined || next === undefined) return []
    const isApart = !next.startsWith('${') && !own.test(next.charAt(0))
    if (isApart) return []
    return [
      {
        path,
        message: `cannot be read back: after \${${name}} stands ${next.startsWith('${') ? next : `\`${next}\``}, which could be part of it; put a comma or another separator between them`,
      },
    ]
  })
}

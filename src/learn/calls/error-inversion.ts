import { codeOf, fieldRules } from '../../domain/answers/error-body.ts'
import { reasonOf } from './error-match.ts'
import type { SeenError } from './seen-errors.ts'
import { requestFields, type WrongField } from './wrong-fields.ts'

/** A template that explains some error bodies. */
export interface Inverted {
  readonly template: unknown
  /** The fields whose meaning is not certain: another template explains them too. */
  readonly doubts: readonly string[]
  /** The fields that another template explains as well as this one. */
  readonly open: readonly string[]
}

/** A part of an error body, with its error and, in a list of problems, its problem. */
interface Part {
  readonly value: unknown
  readonly seen: SeenError
  readonly problem: WrongField | null
  readonly isInList: boolean
}

/** Finds the template of error bodies; null if no template explains all of them. */
export function invertErrors(seen: readonly SeenError[]): Inverted | null {
  if (seen.length === 0) return null
  return invert(
    seen.map((each) => ({ value: each.body, seen: each, problem: null, isInList: false })),
    [],
  )
}

function invert(parts: readonly Part[], path: readonly string[]): Inverted | null {
  if (parts.every(({ value }) => isMapping(value))) return invertObject(parts, path)
  if (parts.every(({ value }) => Array.isArray(value))) return invertList(parts, path)
  if (parts.some(({ value }) => typeof value === 'object' && value !== null)) return null
  return invertLeaf(parts, path)
}

const isMapping = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entriesOf = (value: unknown): [string, unknown][] => (isMapping(value) ? Object.entries(value) : [])

function invertObject(parts: readonly Part[], path: readonly string[]): Inverted | null {
  const names = new Set(parts.flatMap(({ value }) => entriesOf(value).map(([name]) => name)))
  const members: [string, unknown][] = []
  const inners: Inverted[] = []
  for (const name of names) {
    const having = parts.flatMap((part) => {
      const found = entriesOf(part.value).find(([each]) => each === name)
      return found === undefined ? [] : [{ ...part, value: found[1] }]
    })
    const inner = invert(having, [...path, name])
    if (inner === null) return null
    const isOptional = having.length < parts.length
    if (isOptional && !isMissing(inner.template, parts, having)) return null
    members.push([name, inner.template])
    inners.push(inner)
  }
  return { template: Object.fromEntries(members), ...doubtsOf(inners) }
}

const doubtsOf = (inners: readonly (Inverted | null)[]): Omit<Inverted, 'template'> => ({
  doubts: inners.flatMap((each) => each?.doubts ?? []),
  open: inners.flatMap((each) => each?.open ?? []),
})

/** Whether a placeholder explains that the other errors do not have its field. */
function isMissing(template: unknown, parts: readonly Part[], having: readonly Part[]): boolean {
  const with_ = new Set(having.map(({ seen }) => seen))
  const others = parts.filter(({ seen }) => !with_.has(seen))
  // The service may refuse a call before it reads the requestId.
  if (template === '${requestId}') return true
  if (typeof template !== 'string' || !template.startsWith('${first.')) return false
  return others.every(({ seen }) => (seen.problems ?? []).length === 0)
}

function invertList(parts: readonly Part[], path: readonly string[]): Inverted | null {
  const lists = parts.map((part) => ({ part, list: Array.isArray(part.value) ? part.value : [] }))
  const elements = lists.flatMap(({ part, list }) =>
    list.map(
      (value, index): Part => ({
        ...part,
        value,
        problem: problemFor(value, index, list, part),
        isInList: true,
      }),
    ),
  )
  const areProblems = lists.every(({ part, list }) => part.seen.problems !== null || list.length === 0)
  if (elements.length > 0 && areProblems) {
    const inner = invert(elements, [...path, '[]'])
    if (inner !== null && JSON.stringify(inner.template).includes('${problems.')) {
      // Two templates, one of them with an empty list, explain the same bodies.
      const isShared = lists.some(({ part }) => part.seen.problems === null)
      const doubts = [...inner.doubts, ...(isShared ? [path.join('.')] : [])]
      return { ...inner, template: [inner.template], doubts }
    }
  }
  const [first] = lists
  if (first === undefined || lists.some(({ list }) => list.length !== first.list.length)) return null
  const fixed = first.list.map((_, index) =>
    invert(
      lists.map(({ part, list }) => ({ ...part, value: list[index] })),
      [...path, String(index)],
    ),
  )
  if (fixed.some((each) => each === null)) return null
  return { template: fixed.map((each) => each?.template), ...doubtsOf(fixed) }
}

/** The problem that an element of a list is about: the one that it names, or the one in its place. */
function problemFor(
  value: unknown,
  index: number,
  list: readonly unknown[],
  { seen }: Part,
): WrongField | null {
  const problems = seen.problems ?? []
  const text = JSON.stringify(value)
  const named = problems.filter(
    ({ field }) => text.includes(`"${field}"`) || text.includes(`"/${field.replaceAll('.', '/')}"`),
  )
  if (named.length === 1) return named[0] ?? null
  return problems.length === list.length ? (problems[index] ?? null) : null
}

type Test = (part: Part) => boolean

const pointerOf = (field: string): string => `/${field.replaceAll('.', '/')}`
const firstOf = ({ seen }: Part): WrongField | undefined => seen.problems?.[0]

/** The placeholders whose value is known for each error. */
const exact: readonly (readonly [placeholder: string, test: Test])[] = [
  ['${problems.field}', ({ isInList, problem, value }) => isInList && problem?.field === value],
  [
    '${problems.pointer}',
    ({ isInList, problem, value }) => isInList && problem !== null && pointerOf(problem.field) === value,
  ],
  ['${requestId}', ({ seen, value }) => requestFields(seen.call).requestId === value],
  ['${method}', ({ seen, value }) => seen.call.method === value],
  ['${path}', ({ seen, value }) => seen.call.path === value],
  ['${status}', ({ seen, value }) => seen.status === value],
  ['${status:text}', ({ seen, value }) => String(seen.status) === value],
  ['${first.field}', (part) => part.seen.problems !== null && firstOf(part)?.field === part.value],
  [
    '${first.pointer}',
    (part) => part.seen.problems !== null && pointerOf(firstOf(part)?.field ?? '') === part.value,
  ],
]

const timeForms: readonly (readonly [format: string, form: RegExp])[] = [
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['time:isoSeconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['time:offset', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/],
  ['time:offsetSeconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/],
]

function invertLeaf(parts: readonly Part[], path: readonly string[]): Inverted | null {
  const name = path.join('.')
  const sure = (template: unknown): Inverted => ({ template, doubts: [], open: [] })
  const doubted = (template: unknown): Inverted => ({ template, doubts: [name], open: [] })
  const undecided = (template: unknown): Inverted => ({ template, doubts: [name], open: [name] })
  const values = new Set(parts.map(({ value }) => value))
  const statuses = new Set(parts.map(({ seen }) => seen.status))
  const isConstant = values.size === 1
  const [value] = values

  const found = exact.find(([, test]) => parts.every(test))
  // A constant that happens to be the method or the status explains it too.
  if (found !== undefined) return isConstant ? doubted(found[0]) : sure(found[0])
  const time = timeOf(parts)
  if (time !== null) return isConstant ? doubted(time) : sure(time)
  if (parts.some(({ isInList }) => isInList)) return problemLeaf(parts, { sure, doubted, undecided })
  if (parts.every(saysProblems)) return sure('${message}')
  if (parts.every(({ value, seen }) => value === codeOf(reasonOf(seen.status))))
    return statuses.size > 1 ? sure('${code}') : doubted('${code}')
  // An element of a list without a value is null.
  if (isConstant && statuses.size > 1) return value === null ? doubted(value) : sure(value)
  const isMessage = parts.every(({ value }) => typeof value === 'string')
  if (parts.every(({ value, seen }) => value === reasonOf(seen.status)))
    return doubted(/reason|title|statusText/i.test(name) ? '${reason}' : '${message}')
  const areRefusals = parts.every(({ seen }) => (seen.problems ?? []).length > 0)
  if (isConstant && isMessage && isSentence(value) && ofMessages.test(name)) {
    // The message of invalid input says what is wrong, which is not the same each time.
    if (areRefusals && problemsOf(parts).size > 1) return doubted(value)
    return areRefusals ? undecided('${message}') : doubted('${message}')
  }
  if (isConstant) return doubted(value)
  if (areRefusals) return firstLeaf(parts, { sure, doubted, undecided })
  if (isByStatus(parts)) {
    const isWord = parts.every(({ value }) => typeof value === 'number' || !isSentence(value))
    const withStatus = statusWord(parts)
    if (isWord && withStatus !== null) return doubted(withStatus)
    if (isWord) return sure('${code}')
    if (!isMessage) return null
    // Codes can be sentences too, but a message without a setting is often the reason phrase.
    const isUsual = parts.some(({ value, seen }) => value === reasonOf(seen.status))
    return isUsual ? sure('${message}') : doubted('${message}')
  }
  if (!isMessage) return null
  const isId = values.size === parts.length && parts.every(({ value }) => /^[\w.:-]{6,}$/.test(String(value)))
  if (isId) return sure('${errorId}')
  if (!parts.some(({ value }) => isSentence(value))) return null
  // Invalid input has a message of its own here, which a template of its own can write too.
  const isOwn = parts.some((part) => part.seen.problems !== null && !saysProblems(part))
  return isOwn ? doubted('${message}') : sure('${message}')
}

const ofMessages = /message|error|detail|description|text|reason|title/i

const isSentence = (value: unknown): boolean => typeof value === 'string' && /\s/.test(value)

/** Whether a text is the message of invalid input: `<field>: <reason>` for each wrong field. */
const saysProblems: Test = ({ value, seen: { problems } }) =>
  typeof value === 'string' &&
  (problems ?? []).length > 0 &&
  (problems ?? []).every(({ field }) => value.includes(`${field}: `))

/** Whether the leaf depends on the status only, and differs. */
function isByStatus(parts: readonly Part[]): boolean {
  const groups = Map.groupBy(parts, ({ seen }) => seen.status)
  return (
    groups.size > 1 &&
    [...groups.values()].every((group) => new Set(group.map(({ value }) => value)).size === 1)
  )
}

/** The template of words with the status in them, such as `E-${status}`; null if they have none. */
function statusWord(parts: readonly Part[]): string | null {
  const templates = new Set(
    parts.map(({ value, seen }) => String(value).replace(String(seen.status), '${status}')),
  )
  const [template = ''] = templates
  return templates.size === 1 && template.includes('${status}') ? template : null
}

function timeOf(parts: readonly Part[]): string | null {
  for (const [format, form] of timeForms)
    if (parts.every(({ value }) => typeof value === 'string' && form.test(value))) return `\${${format}}`
  const isNear =
    (scale: number): Test =>
    ({ value, seen: { call } }) =>
      typeof value === 'number' && Math.abs(value * scale - call.at) < 3_600_000
  if (parts.every(isNear(1000))) return '${time:seconds}'
  return parts.every(isNear(1)) ? '${time:milliseconds}' : null
}

/** Makers of the template of a leaf: certain, likely, or one of several that explain it. */
type Make = Readonly<Record<'sure' | 'doubted' | 'undecided', (template: unknown) => Inverted>>

/** The first problems of errors, each as one text. */
const problemsOf = (parts: readonly Part[]): ReadonlySet<string> =>
  new Set(parts.map((part) => `${firstOf(part)?.field}.${firstOf(part)?.rule}`))

/** A leaf of a problem that is not its field: a rule is a word, a reason a sentence. */
function problemLeaf(parts: readonly Part[], { sure, doubted, undecided }: Make): Inverted | null {
  if (parts.some(({ value }) => typeof value !== 'string')) return null
  const isReason = parts.some(({ value }) => isSentence(value))
  const isDefault = parts.some(({ value }) => (isReason ? defaultReason.test(String(value)) : isRule(value)))
  const values = new Set(parts.map(({ value }) => value))
  if (values.size === 1 && !isDefault) {
    const rules = new Set(parts.map(({ problem }) => problem?.rule))
    // Of one rule only, its word and a fixed one look the same.
    return rules.size > 1 ? doubted(parts[0]?.value) : undecided(parts[0]?.value)
  }
  const template = isReason ? '${problems.reason}' : '${problems.rule}'
  return isDefault ? sure(template) : doubted(template)
}

const isRule = (value: unknown): boolean => fieldRules.some((rule) => rule === value)

/** Words of reasons without settings for them. */
const defaultReason = /^(is missing$|expected |must be |must not be |must have )/

/** A leaf that depends on the first problem, or is another one each time. */
function firstLeaf(parts: readonly Part[], { sure, doubted, undecided }: Make): Inverted | null {
  if (parts.some(({ value }) => typeof value !== 'string')) return null
  const groups = Map.groupBy(parts, (part) => `${firstOf(part)?.field}.${firstOf(part)?.rule}`)
  const isByProblem = [...groups.values()].every(
    (group) => new Set(group.map(({ value }) => value)).size === 1,
  )
  const isText = parts.some(({ value }) => isSentence(value))
  const values = new Set(parts.map(({ value }) => value))
  const areDistinct = values.size === parts.length && !isText
  if (!isByProblem) return areDistinct ? sure('${errorId}') : doubted('${message}')
  const word = isText ? '${first.reason}' : '${first.rule}'
  const isDefault = parts.some(({ value }) => isRule(value) || defaultReason.test(String(value)))
  const isRepeated = values.size < parts.length
  if (isDefault || isRepeated) return doubted(word)
  // Each problem was seen once, so that an id of the error looks like a word for the problem.
  return undecided(isText ? word : '${errorId}')
}

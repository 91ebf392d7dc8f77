import { nameOf, type Schema } from './described-api.ts'
import { Inline } from './prose.tsx'

/** A row of a field table; nested fields have their path. */
interface Row {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  /** The kind of value that has the field, for a union. */
  readonly of?: string
}

/** The table of a schema's fields, or a word for its type. */
export function Shape({ schema, prefix }: { schema: Schema; prefix: string }) {
  const rows = rowsOf(schema)
  if (rows.length === 0) {
    return (
      <p>
        <Type schema={schema} prefix={prefix} />
        {schema.description === undefined ? '' : ': '}
        <Inline text={schema.description ?? ''} />
      </p>
    )
  }
  return (
    <table>
      <tbody>
        {rows.map(({ name, schema: member, required, of }) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
              {required ? <span class="required"> required</span> : ''}
            </th>
            <td>
              <span class="type">
                <Type schema={member} prefix={prefix} />
              </span>{' '}
              {of === undefined ? '' : <span class="type">({of}) </span>}
              <Inline text={[member.description ?? '', restOf(member)].filter(Boolean).join(' ')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Renders a type in words, with links to named schemas. */
function Type({ schema, prefix }: { schema: Schema; prefix: string }) {
  const { $ref, type, items, anyOf, oneOf, additionalProperties } = schema
  if ($ref !== undefined) return <a href={`#${prefix}shape-${nameOf($ref)}`}>{nameOf($ref)}</a>
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>
  if (schema.enum !== undefined) return <Choice words={schema.enum} />
  if (schema.title !== undefined) return <>{schema.title}</>
  const branches = anyOf ?? oneOf
  if (branches !== undefined) {
    return (
      <>
        {branches.map((branch, index) => (
          <>
            {index === 0 ? '' : ' or '}
            <Type schema={branch} prefix={prefix} />
          </>
        ))}
      </>
    )
  }
  if (items !== undefined) {
    return (
      <>
        list of <Type schema={items} prefix={prefix} />
      </>
    )
  }
  if (typeof additionalProperties === 'object' && schema.properties === undefined) {
    return (
      <>
        object of <Type schema={additionalProperties} prefix={prefix} />
      </>
    )
  }
  return <>{[type ?? 'anything'].flat().join(' or ')}</>
}

/** The maximum number of words in a description; longer ones are left to the document. */
const mostWords = 40

const Choice = ({ words }: { words: readonly unknown[] }) => (
  <>
    {words.slice(0, words.length > mostWords ? 3 : mostWords).map((word, index) => (
      <>
        {index === 0 ? '' : ' or '}
        <code>{JSON.stringify(word)}</code>
      </>
    ))}
    {words.length > mostWords ? ` or one of ${words.length - 3} others` : ''}
  </>
)

/** The fields, including those of nested objects and lists. */
function rowsOf(schema: Schema): Row[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, member]) => [
    { name, schema: member, required: required.includes(name) },
    ...nestedIn(name, member),
  ])
}

function nestedIn(name: string, { items, ...member }: Schema): Row[] {
  const [inner, joined] = items === undefined ? [member, '.'] : [items, '[].']
  const kinds = inner.properties === undefined ? (inner.anyOf ?? inner.oneOf ?? []) : [inner]
  return kinds.flatMap((kind) =>
    rowsOf(kind).map((row) => ({
      ...row,
      name: `${name}${joined}${row.name}`,
      ...(row.of === undefined && kind.title !== undefined && { of: kind.title }),
    })),
  )
}

/** Describes the default and the bounds of a field. */
function restOf(schema: Schema): string {
  const { minimum, maximum, maxLength, description } = schema
  const unbounded = (value: unknown) => value === undefined || value === Number.MAX_SAFE_INTEGER
  return [
    schema.default === undefined ? '' : `Default \`${JSON.stringify(schema.default)}\`.`,
    minimum === undefined || Number(minimum) <= Number.MIN_SAFE_INTEGER ? '' : `At least ${minimum}.`,
    unbounded(maximum) ? '' : `At most ${maximum}.`,
    maxLength === undefined || !description ? '' : `At most ${maxLength} characters.`,
  ]
    .filter(Boolean)
    .join(' ')
}

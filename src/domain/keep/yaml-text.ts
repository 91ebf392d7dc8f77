/** Formats a JSON value as one line of YAML: maps and lists in braces and brackets, texts in quotes where they need
 *  them. Fields that are undefined are left out. */
function yamlLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlLine).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    const lines = fields.map(([name, field]) => `${key(name)}: ${yamlLine(field)}`)
    return lines.length === 0 ? '{}' : `{ ${lines.join(', ')} }`
  }
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value)
}

/** Formats a field at the margin of a file; a list has one item a line. */
export function yamlField(name: string, value: unknown): string {
  if (typeof value === 'string' && sentence.test(value) && !reserved.test(value)) return `${name}: ${value}`
  if (!Array.isArray(value) || value.length === 0) return `${name}: ${yamlLine(value)}`
  return `${name}:\n${value.map((item) => `  - ${yamlLine(item)}`).join('\n')}`
}

/** Formats a text as YAML comments, wrapped between words. */
export function yamlComment(text: string): string {
  const lines = ['#']
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length <= width || lines.at(-1) === '#') lines[lines.length - 1] = longer
    else lines.push(`# ${word}`)
  }
  return lines.join('\n')
}

const width = 110

/** Words that YAML reads as a value of another type, in one of its versions. */
const reserved = /^(true|false|null|yes|no|on|off|y|n)$/i

const plain = /^([A-Za-z][\w.-]*( [+\w-]+)*|\d+(ms|[smhd%])|\d+\.\d+%)$/

/** A text that needs no quotes outside of braces and brackets. */
const sentence = /^[A-Za-z](?:[^\n\r:#\p{C}]*[^\s:#\p{C}])?$/u

const key = (name: string): string => (/^(on|off|yes|no|y|n)$/.test(name) ? name : scalar(name))

function scalar(text: string): string {
  return plain.test(text) && !reserved.test(text) ? text : JSON.stringify(text)
}

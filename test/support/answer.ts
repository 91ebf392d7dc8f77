/** An unchecked JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** An HTTP answer: status, headers, and the body as it came over the wire. */
export class Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string

  constructor(status: number, headers: Answer['headers'], text: string) {
    this.status = status
    this.headers = headers
    this.text = text
  }

  /** The body as a JSON object. Throws with the body's text if it is anything else. */
  get json(): JsonObject {
    const value: unknown = this.text === '' ? undefined : JSON.parse(this.text)
    if (!isObject(value)) throw new Error(`expected a JSON object, got ${this.status} ${this.text}`)
    return value
  }

  /** The member `data`: the records of a lookup. */
  get data(): readonly JsonObject[] {
    return listOf(this, 'data')
  }

  /** The only record of a lookup. */
  get record(): JsonObject {
    const [only, ...others] = this.data
    if (only === undefined || others.length > 0) throw new Error(`expected one record, got ${this.text}`)
    return only
  }

  /** The member `items`: the entries of a list of the control API. */
  get items(): readonly JsonObject[] {
    return listOf(this, 'items')
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(answer: Answer, member: string): readonly JsonObject[] {
  const list = answer.json[member]
  if (!Array.isArray(list) || !list.every(isObject)) {
    throw new Error(`expected a list of objects in \`${member}\`, got ${answer.status} ${answer.text}`)
  }
  return list
}

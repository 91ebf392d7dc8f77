import { isObject, type JsonObject } from '../../../support/answer.ts'

/** A JSON Schema, as the documents have them; `true` where anything goes. */
export type Schema = JsonObject

/** One call of an OpenAPI document. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Media type and schema of the body; null if it takes none. */
  readonly body: { readonly type: string; readonly schema: Schema } | null
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

/** An OpenAPI document that is running somewhere. */
export class Document {
  readonly operations: readonly Operation[]
  readonly #root: JsonObject

  constructor(root: JsonObject) {
    this.#root = root
    this.operations = entries(root.paths).flatMap(([path, item]) =>
      entries(item).flatMap(([method, operation]) =>
        isObject(operation) && 'responses' in operation ? [this.#operation(path, method, operation)] : [],
      ),
    )
  }

  /** A schema with a reference at its top followed. */
  resolved(schema: unknown): Schema {
    if (!isObject(schema)) return {}
    if (typeof schema.$ref !== 'string') return schema
    const { $ref, ...others } = schema
    return { ...this.resolved(this.#at(schema.$ref)), ...others }
  }

  #operation(path: string, method: string, operation: JsonObject): Operation {
    const [type, media] = entries(Object(operation.requestBody).content)[0] ?? []
    const given = Array.isArray(operation.parameters) ? operation.parameters : []
    return {
      name: String(operation.operationId),
      method: method.toUpperCase(),
      path,
      parameters: given.flatMap((each) => this.#parameter(this.resolved(each))),
      body: type === undefined ? null : { type, schema: this.resolved(Object(media).schema) },
    }
  }

  #parameter({ in: place, name, required, schema }: Schema): Parameter[] {
    if (place !== 'path' && place !== 'query' && place !== 'header') return []
    return [{ in: place, name: String(name), required: required === true, schema: this.resolved(schema) }]
  }

  #at(reference: string): unknown {
    let value: unknown = this.#root
    for (const part of reference.slice(2).split('/')) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      value = isObject(value) ? value[name] : undefined
    }
    return value
  }
}

const entries = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

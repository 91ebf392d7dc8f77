import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { servedOperations } from '../../src/api/operations/operations.ts'
import { controlDocument } from '../../src/app/openapi/control.ts'
import { described } from '../../src/app/openapi/head.ts'
import { serviceDocument } from '../../src/app/openapi/service.ts'
import { defaultSettings } from '../../src/domain/choices/settings.ts'
import { type Answer, isObject, type JsonObject } from './answer.ts'

/** Why an answer is not what the OpenAPI documents say; null if it is.
 *  @param path with its query */
export function departure(method: string, path: string, answer: Answer): string | null {
  const [document] = documents.filter(({ prefix }) => path.startsWith(prefix))
  return document === undefined ? null : document.departure(method, path.split('?')[0] ?? '', answer)
}

/** Whether a value fits a schema of a document. */
export function fitsSchema(document: JsonObject, schema: JsonObject, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  return ajv.addSchema(document, 'document').compile(absolute(schema))(value)
}

const absolute = (schema: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#'))

type Described = ReturnType<typeof described>

/** One of the documents, and what has been compiled of it. */
class Checked {
  readonly prefix: string
  readonly #document: JsonObject
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: true })
  readonly #compiled = new Map<string, ValidateFunction>()
  readonly #paths: readonly (readonly [RegExp, string])[]

  constructor(prefix: string, document: Described) {
    this.prefix = prefix
    this.#document = JSON.parse(JSON.stringify(document))
    formats.default(this.#ajv)
    this.#ajv.addSchema(this.#document, 'document')
    // A fixed path goes before one with a parameter in its place.
    this.#paths = Object.keys(document.paths ?? {})
      .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((path) => [new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`), path])
  }

  departure(method: string, path: string, answer: Answer): string | null {
    const place = this.#placeOf(method, path, answer.status)
    const found = this.#responseAt(place) ?? this.#invalidAt(place)
    if (found === null && answer.status === 431) return wrongOverflow(answer)
    if (found === null) return `${method} ${path} answered ${answer.status}, which is not documented`
    const { pointer, response } = found
    const missing = Object.entries(Object(response.headers)).find(
      ([name, header]) => isObject(header) && header.required === true && answer.headers[name] === undefined,
    )
    if (missing !== undefined) return `${method} ${path} answered without the header ${missing[0]}`
    return this.#wrongBody(pointer, response, method, answer)
  }

  /** Where the document has the answer to a request: at its operation, or among those to what no operation takes. */
  #placeOf(method: string, path: string, status: number): string {
    const [, known] = this.#paths.find(([pattern]) => pattern.test(path)) ?? []
    // HEAD is answered as GET is, without the body.
    const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase()
    const operation = known === undefined ? '' : `/paths/${escaped(known)}/${verb}`
    if (valueAt(this.#document, operation || '/none') !== undefined) return `${operation}/responses/${status}`
    if (status === (known === undefined ? 405 : 404)) return ''
    return `/components/responses/${untaken[status]}`
  }

  #responseAt(place: string): { pointer: string; response: JsonObject } | null {
    const response = valueAt(this.#document, place)
    if (!isObject(response)) return null
    if (typeof response.$ref === 'string') return this.#responseAt(response.$ref.slice(1))
    return { pointer: place, response }
  }

  /** Invalid input, under the status that the setting `errors.validationStatus` gives it. */
  #invalidAt(place: string): { pointer: string; response: JsonObject } | null {
    if (this.prefix !== '/v1/' || !/\/4\d\d$/.test(place)) return null
    return this.#responseAt(place.replace(/\d+$/, '400'))
  }

  #wrongBody(pointer: string, response: JsonObject, method: string, answer: Answer): string | null {
    const types = Object.keys(Object(response.content))
    if (types.length === 0 || method === 'HEAD') {
      return answer.text === '' ? null : `expected no body, got ${answer.text}`
    }
    const given = String(answer.headers['content-type']).split(';')[0] ?? ''
    if (!types.includes(given)) return `expected ${types.join(' or ')} at ${pointer}, got ${given}`
    if (given !== 'application/json') return null
    const validate = this.#validator(`${pointer}/content/${escaped(given)}/schema`)
    if (validate(JSON.parse(answer.text))) return null
    return `${pointer}: ${this.#ajv.errorsText(validate.errors)}: ${answer.text.slice(0, 1_000)}`
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#compiled.get(pointer)
    if (known !== undefined) return known
    const compiled = this.#ajv.compile({ $ref: `document#${encodeURI(pointer)}` })
    this.#compiled.set(pointer, compiled)
    return compiled
  }
}

/** Headers that are too large come to no call, whatever their path is: what both documents say of that is in words. */
const wrongOverflow = ({ headers, text }: Answer): string | null =>
  String(headers['content-type']).startsWith('application/json') && text.includes('larger than 16 KiB')
    ? null
    : `431 came without its words: ${text}`

/** The answers to what no operation takes, by status: the guards come before the look at the path. */
const untaken: Readonly<Record<number, string>> = {
  401: 'NoControlToken',
  403: 'CrossSite',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  421: 'HostNotAllowed',
}

/** A part of a JSON pointer. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const part of pointer.split('/').slice(1)) {
    if (!isObject(value)) return undefined
    value = value[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value
}

const documents = [
  new Checked('/v1/', described(serviceDocument(servedOperations(defaultSettings)))),
  new Checked('/_emulator', described(controlDocument())),
]

import type { Answer } from './answer.ts'
import type { TestEmulator } from './emulator.ts'

type Emulator = Pick<TestEmulator, 'send'>
type Pairs = readonly (readonly [name: string, value: string])[]

/** A form of a page. */
interface Form {
  readonly method: string
  readonly action: string
  /** The fields that it sends without changes. */
  readonly fields: Pairs
}

/** A page as a browser without JavaScript has it. */
export class Page {
  readonly status: number
  /** Where it is, below the emulator's origin. */
  readonly path: string
  readonly html: string
  readonly headers: Answer['headers']
  readonly #emulator: Emulator

  constructor(emulator: Emulator, path: string, { status, text, headers }: Answer) {
    this.#emulator = emulator
    this.path = path
    this.status = status
    this.html = text
    this.headers = headers
  }

  /** Its text, without markup and on one line. */
  get words(): string {
    return wordsOf(this.html.replace(/<head>.*?<\/head>/s, ''))
  }

  /** The text of an element, by its id. */
  wordsIn(id: string): string {
    return wordsOf(this.#element(id))
  }

  /** Where links with these words lead. */
  links(words: string): readonly string[] {
    return [...this.html.matchAll(/<a\s([^>]*)>(.*?)<\/a>/gs)].flatMap(([, tag = '', inner = '']) =>
      wordsOf(inner) === words ? [attribute(tag, 'href') ?? ''] : [],
    )
  }

  /** Goes where the first link with these words leads. */
  async follow(words: string): Promise<Page> {
    const [href] = this.links(words)
    if (href === undefined) throw new Error(`no link says "${words}" at ${this.path}`)
    return openPage(this.#emulator, href)
  }

  form(id: string): Form {
    const html = this.#element(id)
    const tag = html.slice(0, html.indexOf('>'))
    return {
      method: attribute(tag, 'method') ?? 'get',
      action: attribute(tag, 'action') ?? this.path,
      fields: fieldsIn(html),
    }
  }

  /** Sends a form with what is typed into it, by the names of its fields, and goes where that leads. */
  async submit(id: string, typed: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { method, action, fields } = this.form(id)
    const strange = Object.keys(typed).filter((name) => !fields.some(([field]) => field === name))
    if (strange.length > 0) throw new Error(`the form ${id} has no field ${strange.join(', ')}`)
    const sent = new URLSearchParams()
    for (const [name, value] of fields) sent.append(name, typed[name] ?? value)
    if (method === 'get') return openPage(this.#emulator, `${action.split('?')[0]}?${sent}`)
    const answer = await this.#emulator.send(action, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: sent.toString(),
    })
    const { location } = answer.headers
    return typeof location === 'string'
      ? openPage(this.#emulator, location)
      : new Page(this.#emulator, action, answer)
  }

  #element(id: string): string {
    const rest = this.html.slice(this.html.lastIndexOf('<', this.html.indexOf(` id="${id}"`)))
    const [, name] = /^<(\w+)/.exec(rest) ?? []
    if (name === undefined || !this.html.includes(` id="${id}"`))
      throw new Error(`nothing has the id ${id} at ${this.path}`)
    let depth = 0
    for (const { 0: tag, index } of rest.matchAll(new RegExp(`<(/?)${name}\\b[^>]*>`, 'g'))) {
      depth += tag.startsWith('</') ? -1 : 1
      if (depth === 0) return rest.slice(0, index + tag.length)
    }
    throw new Error(`<${name} id="${id}"> does not end`)
  }
}

/** Opens a page as a browser does.
 *  @param path below the emulator's origin
 *  @param cookie of the browser */
export async function openPage(emulator: Emulator, path: string, cookie?: string): Promise<Page> {
  const headers = { accept: 'text/html', ...(cookie === undefined ? {} : { cookie }) }
  return new Page(emulator, path, await emulator.send(path, { method: 'GET', headers }))
}

/** Switches the commands of buttons on.
 *  @returns the cookie that a browser sends from then on */
export async function showCommands(emulator: Emulator): Promise<string> {
  const { headers } = await emulator.send('/_emulator/ui/commands', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'shown=true',
  })
  return cookieIn(headers)
}

/** The cookie that an answer sets, as the browser sends it. */
export const cookieIn = (headers: Answer['headers']): string =>
  String(headers['set-cookie']).split(';')[0] ?? ''

function fieldsIn(html: string): Pairs {
  const controls = html.matchAll(
    /<input\s([^>]*)>|<textarea\s([^>]*)>(.*?)<\/textarea>|<select\s([^>]*)>(.*?)<\/select>/gs,
  )
  return [...controls].flatMap(([, input, area, areaText = '', select, options = '']) => {
    const tag = input ?? area ?? select ?? ''
    const name = attribute(tag, 'name')
    if (name === undefined) return []
    if (area !== undefined) return [[name, decoded(areaText.trim())] as const]
    if (select !== undefined) return [[name, chosenIn(options)] as const]
    return [[name, attribute(tag, 'value') ?? ''] as const]
  })
}

function chosenIn(options: string): string {
  const all = [...options.matchAll(/<option([^>]*)>(.*?)<\/option>/gs)].map(([, tag = '', text = '']) => ({
    value: attribute(tag, 'value') ?? wordsOf(text),
    selected: /\sselected\b/.test(tag),
  }))
  return (all.find(({ selected }) => selected) ?? all[0])?.value ?? ''
}

const wordsOf = (html: string): string =>
  decoded(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()

function attribute(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : decoded(value)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const decoded = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)

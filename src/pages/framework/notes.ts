import { randomBytes } from 'node:crypto'
import type { Action } from './action.ts'
import { errorIn } from './control-api.ts'

/** A base URL for resolving paths. */
const anywhere = 'http://page.invalid'

/** The path of a form's return page, if it is a page of the dashboard; never another site. */
export function ownPath(path: string | null | undefined): string {
  const url = path && /^\/[\x20-\x7e]*$/.test(path) ? URL.parse(path, anywhere) : null
  // A path is checked after it is resolved: `/_emulator/ui/../..//elsewhere` is another host.
  const isOwn = url?.origin === anywhere && /^\/_emulator\/(?:$|ui\/)/.test(url.pathname)
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/_emulator/'
}

/** The address of a page with a note. */
export function withNote(path: string, id: string): string {
  const { pathname, searchParams, hash } = new URL(path, anywhere)
  searchParams.set('note', id)
  return `${pathname}?${searchParams}${hash}`
}

/** The address of a page without its note. */
export function withoutNote(path: string): string {
  const [page = ''] = path.split('?', 1)
  const query = new URLSearchParams(path.slice(page.length))
  query.delete('note')
  return query.size === 0 ? page : `${page}?${query}`
}

/** The result of a button, which the next page shows. */
export interface Note {
  readonly action: Action | null
  /** The status of the answer; null if no call was made. */
  readonly status: number | null
  /** The answer of the call, or the problem of the form. */
  readonly text: string
  /** The typed values, so that a rejected form keeps them. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** The number of waiting notes, and their characters in all: each may hold a whole answer. */
const mostNotes = 50
const mostCharacters = 8 * 1024 * 1024

/** Whether the call succeeded. */
export const isGood = ({ status }: Note): boolean => status !== null && status < 400

/** The latest results of buttons. The next page shows its note once, so that reloading it repeats nothing. Notes may
 *  be lost without harm. Their ids cannot be guessed: answers contain secrets. */
export class Notes {
  readonly #notes = new Map<string, Note>()

  add(note: Note): string {
    const id = randomBytes(12).toString('base64url')
    this.#notes.set(id, note)
    let characters = 0
    for (const [n, [old, kept]] of [...this.#notes].reverse().entries()) {
      characters += charactersIn(kept)
      if (n >= mostNotes || (n > 0 && characters > mostCharacters)) this.#notes.delete(old)
    }
    return id
  }

  /** Returns a note once, for the page that shows it. */
  take(id: string | null): Note | null {
    const note = (id !== null && this.#notes.get(id)) || null
    if (id !== null) this.#notes.delete(id)
    return note
  }
}

function charactersIn({ text, fields, action }: Note): number {
  const typed = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return text.length + typed + (action?.text?.length ?? 0)
}

/** Returns the control API's message about a refused call. */
export const refusalWords = (text: string): string => errorIn(text)?.message ?? text

import { randomBytes } from 'node:crypto'
import type { Action } from './action.ts'
import { errorIn } from './control-api.ts'

/** No page of the emulator, but a base to resolve paths against. */
const anywhere = 'http://page.invalid'

/** Where a form wants to go back to, if that is a page of the dashboard: never anywhere else. */
export function ownPath(path: string | null | undefined): string {
  const url = path && /^\/[\x20-\x7e]*$/.test(path) ? URL.parse(path, anywhere) : null
  // Only once it is resolved is it known where it leads: `/_emulator/ui/../..//elsewhere` is another host.
  const isOwn = url?.origin === anywhere && /^\/_emulator\/(?:$|ui\/)/.test(url.pathname)
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : '/_emulator/'
}

/** The address of a page that shows a note. */
export function withNote(path: string, id: string): string {
  const { pathname, searchParams, hash } = new URL(path, anywhere)
  searchParams.set('note', id)
  return `${pathname}?${searchParams}${hash}`
}

/** The address of a page without the note that it showed. */
export function withoutNote(path: string): string {
  const [page = ''] = path.split('?', 1)
  const query = new URLSearchParams(path.slice(page.length))
  query.delete('note')
  return query.size === 0 ? page : `${page}?${query}`
}

/** What a button has done. */
export interface Note {
  readonly action: Action | null
  /** Of the answer; null if no call was made. */
  readonly status: number | null
  /** The answer, or what was wrong with the form. */
  readonly text: string
  /** What was typed, so that a refused form need not be typed again. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** As many notes wait to be shown, and as many characters in all of them: each may hold a whole answer. */
const mostNotes = 50
const mostCharacters = 8 * 1024 * 1024

/** Whether the call was made and not refused. */
export const isGood = ({ status }: Note): boolean => status !== null && status < 400

/** The latest deeds of buttons. The page that a browser is sent back to shows its one, and only once: a page that is
 *  loaded again has done nothing again. Nothing depends on them. Their ids cannot be guessed: answers hold secrets. */
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

  /** The note, for the page that shows it. */
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

/** Why a call was refused, in the control API's own words. */
export const refusalWords = (text: string): string => errorIn(text)?.message ?? text

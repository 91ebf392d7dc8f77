import type { Action } from './action.ts'

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

const most = 50

/** Whether the call was made and not refused. */
export const isGood = ({ status }: Note): boolean => status !== null && status < 400

/** The latest deeds of buttons. The page that a browser is sent back to shows its one, and only once: a page that is
 *  loaded again has done nothing again. Nothing depends on them. */
export class Notes {
  readonly #notes = new Map<string, Note>()
  #count = 0

  add(note: Note): string {
    this.#count += 1
    const id = String(this.#count)
    this.#notes.set(id, note)
    for (const old of [...this.#notes.keys()].slice(0, -most)) this.#notes.delete(old)
    return id
  }

  /** The note, for the page that shows it. */
  take(id: string | null): Note | null {
    const note = (id !== null && this.#notes.get(id)) || null
    if (id !== null) this.#notes.delete(id)
    return note
  }
}

/** Why a call was refused, in the control API's own words. */
export function refusalWords(text: string): string {
  try {
    const { error } = JSON.parse(text)
    return String(error.message)
  } catch {
    return text
  }
}

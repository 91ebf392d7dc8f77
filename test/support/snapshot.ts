import type { z } from 'zod'
import type { snapshotDocument } from '../../src/domain/fixture/world-document.ts'
import type { Answer } from './answer.ts'
import type { TestEmulator } from './emulator.ts'

/** A snapshot as its text. */
export async function snapshotOf(emulator: TestEmulator, query = ''): Promise<string> {
  return (await emulator.control(`/snapshot${query}`)).text
}

/** Sends a snapshot back. */
export function putSnapshot(emulator: TestEmulator, body: string | object, query = ''): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  return emulator.send(`/_emulator/snapshot${query}`, { method: 'PUT', headers, body })
}

/** Restores a snapshot; throws unless it is taken. */
export async function restore(
  emulator: TestEmulator,
  snapshot: string | object,
  query = '',
): Promise<Answer> {
  const answer = await putSnapshot(emulator, snapshot, query)
  if (answer.status !== 200) throw new Error(`the snapshot was answered ${answer.status} ${answer.text}`)
  return answer
}

/** A snapshot as a test changes it. */
export type SnapshotDraft = z.output<typeof snapshotDocument>

export function draftOf(snapshot: string): SnapshotDraft {
  const draft: SnapshotDraft = JSON.parse(snapshot)
  return draft
}

/** The first of some things. */
export function firstOf<T>(things: readonly T[]): T {
  const [first] = things
  if (first === undefined) throw new Error('there is none of them in the snapshot')
  return first
}

/** Puts a value, right or wrong, into a place of a document; `undefined` takes away what is there. */
export function setAt(document: object, path: readonly (string | number)[], value: unknown): void {
  const name = path.at(-1) ?? ''
  const owner: object = path.slice(0, -1).reduce((outer: object, key) => Reflect.get(outer, key), document)
  if (value === undefined) Reflect.deleteProperty(owner, name)
  else Reflect.set(owner, name, value)
}

/** The world alone, without what is about the wall: two snapshots of one world are equal in it. */
export function worldIn(snapshot: string): Omit<SnapshotDraft, 'wallAt'> {
  const { wallAt: _, ...world } = draftOf(snapshot)
  for (const { clock } of world.clients) clock.anchorWall = 0
  return world
}

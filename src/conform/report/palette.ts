import { styleText } from 'node:util'
import type { Verdict } from '../report.ts'

type Look = Parameters<typeof styleText>[0]

/** Dresses words for a terminal, or leaves them as they are. */
export type Palette = (look: Look, words: string) => string

/** How words are dressed where colours are wanted, and where they are not. */
export const paletteOf = (colours: boolean): Palette =>
  colours ? (look, words) => styleText(look, words, { validateStream: false }) : (_, words) => words

/** A verdict can be told by its word alone; the colour helps to find it. */
export const verdictLook: Readonly<Record<Verdict, Look>> = {
  PASS: 'green',
  FAIL: ['bold', 'red'],
  WARN: 'yellow',
  'NOT-SEEN': 'dim',
}

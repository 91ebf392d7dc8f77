import { didYouMean, orList, shown, ticked } from '../../domain/text/issue-words.ts'
import type { Problem } from '../../domain/text/problems.ts'
import { type ActName, actNames, isAct } from './acts.ts'
import { type PromiseId, promises } from './promises.ts'
import { impossibleIn, type Step, type Story } from './story.ts'

/** A story that was read, and the promise that it broke when it was found. */
export interface ReadStory {
  readonly story: Story
  readonly promise: PromiseId
  /** Beside how many stories like it, itself included, it is played. */
  readonly beside: number
}

/** The fields of a story file. */
export const storyFields = ['promise', 'seed', 'repeats', 'beside', 'acts'] as const

/** The most stories that are played beside each other. */
const mostBeside = 64

/** Reads a story from a value, like the content of a story file. */
export function parseStory(value: unknown): ReadStory | { readonly problems: readonly Problem[] } {
  if (!isFields(value))
    return { problems: [{ path: [], message: `expected an object, not ${shown(value)}` }] }
  const promise = promises.find(({ id }) => id === value.promise)?.id
  const problems: Problem[] = [
    ...unknownIn(value, storyFields, []),
    ...(promise === undefined ? [{ path: ['promise'], message: wrongPromise(value.promise) }] : []),
    ...wrongTexts(value),
  ]
  const steps = stepsIn(value.acts)
  problems.push(...steps.problems)
  if (promise === undefined || problems.length > 0) return { problems }
  const wrong = impossibleIn(steps.story)
  if (wrong === null)
    return { story: steps.story, promise, beside: typeof value.beside === 'number' ? value.beside : 1 }
  const { step, act, why } = wrong
  const acts = steps.story[step] ?? []
  const path = ['acts', step, ...(acts.length > 1 ? ['together', act] : [])]
  return { problems: [{ path, message: `${ticked(acts[act] ?? '')} is not possible here: ${why}` }] }
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function unknownIn(value: Fields, known: readonly string[], path: Problem['path']): Problem[] {
  const unknown = Object.keys(value).filter((key) => !known.includes(key))
  return unknown.map((key) => ({
    path: [...path, key],
    message: `unknown field ${ticked(key)}${didYouMean(key, known) || `; use one of ${known.join(', ')}`}`,
    at: 'key',
  }))
}

function wrongPromise(value: unknown): string {
  if (value === undefined) return '`promise` is missing'
  const ids = promises.map(({ id }) => id)
  const hint = typeof value === 'string' ? didYouMean(value, ids) : ''
  return `expected ${orList(ids.map(ticked))}, not ${shown(value)}${hint}`
}

/** The problems of the fields that say how the story was found. */
function wrongTexts({ seed = '', repeats = '0 of 0', beside = 1 }: Fields): Problem[] {
  const problems: Problem[] = []
  const wrong = (field: string, message: string) => problems.push({ path: [field], message })
  if (typeof beside !== 'number' || !Number.isInteger(beside) || beside < 1 || beside > mostBeside)
    wrong('beside', `expected a whole number from 1 to ${mostBeside}, not ${shown(beside)}`)
  const unquoted = typeof seed === 'number' ? '; put it in quotes' : ''
  if (typeof seed !== 'string') wrong('seed', `expected text, not ${shown(seed)}${unquoted}`)
  if (typeof repeats !== 'string' || !/^\d+ of \d+$/.test(repeats))
    wrong('repeats', `expected a text like "20 of 20", not ${shown(repeats)}`)
  return problems
}

function stepsIn(acts: unknown): { story: Story; problems: Problem[] } {
  const problems: Problem[] = []
  const path = ['acts'] as const
  if (acts === undefined) problems.push({ path, message: '`acts` is missing' })
  else if (!Array.isArray(acts))
    problems.push({ path, message: `expected a list of acts, not ${shown(acts)}` })
  else if (acts.length === 0) problems.push({ path, message: 'a story needs at least one act, `create`' })
  const steps: readonly unknown[] = Array.isArray(acts) ? acts : []
  const story = steps.map((step, index): Step => stepIn(step, [...path, index], problems))
  return { story, problems }
}

/** Reads a step, and adds its problems. */
function stepIn(step: unknown, path: Problem['path'], problems: Problem[]): Step {
  if (!isFields(step)) return actIn(step, path, problems)
  problems.push(...unknownIn(step, ['together'], path))
  const { together } = step
  const within = [...path, 'together']
  if (Array.isArray(together) && together.length > 1)
    return together.flatMap((act: unknown, at) => actIn(act, [...within, at], problems))
  const wrong = Array.isArray(together)
    ? '`together` needs at least two acts'
    : together === undefined
      ? '`together` is missing'
      : `expected a list of acts, not ${shown(together)}`
  problems.push({ path: within, message: wrong })
  return []
}

function actIn(act: unknown, path: Problem['path'], problems: Problem[]): readonly ActName[] {
  if (typeof act === 'string' && isAct(act)) return [act]
  problems.push({ path, message: typeof act === 'string' ? unknownAct(act) : wrongAct(act) })
  return []
}

const unknownAct = (act: string): string =>
  `unknown act ${ticked(act)}${didYouMean(act, actNames) || `; use one of ${actNames.map(ticked).join(', ')}`}`

const wrongAct = (act: unknown): string => `expected an act, like \`pay\`, or \`together\`, not ${shown(act)}`

import type { SettingsOverlay } from '../../domain/choices/settings.ts'
import { keepOrder } from '../../domain/keep/keep-order.ts'
import { yamlComment } from '../../domain/keep/yaml-text.ts'
import { readScenarioFile } from '../../domain/scenario/compile-scenario.ts'
import { nearest } from '../../domain/text/issue-words.ts'
import type { Evidence, SeenOrder } from '../evidence/evidence.ts'
import type { Masker } from '../mask.ts'
import { type CreateCall, createCallOf, fixtureOf } from './fixture.ts'
import { recordedStory } from './recorded-story.ts'

/** What happened to one order, as files that repeat it. */
export interface Story {
  /** The id of the scenario. */
  readonly id: string
  /** The scenario file, in YAML. */
  readonly scenario: string
  /** The fixture, in YAML: the client, and the order if no create call of the application made it. */
  readonly fixture: string
  /** The create call with which an application starts the story; null if the fixture has the order. */
  readonly create: CreateCall | null
  /** What the files do not repeat, in sentences; they are comments of the scenario too. */
  readonly notes: readonly string[]
}

/** Why there is no story. */
export interface NoStory {
  readonly problem: string
}

export interface StoryOptions {
  /** The settings of the account, as far as they are known: a settings file, or what learn found. */
  readonly settings?: SettingsOverlay | undefined
  /** The account, if several have an order of this requestId. */
  readonly clientId?: string | undefined
}

/** Writes what happened to an order as a scenario file and a fixture. An application that answers as it did gets the
 *  same webhooks with the same gaps, and the same answers. People and secrets are masked. */
export function storyOf(
  evidence: Evidence,
  requestId: string,
  masker: Masker,
  { settings = {}, clientId }: StoryOptions = {},
): Story | NoStory {
  const found = evidence.orders.filter((order) => order.requestId === requestId)
  const chosen = found.filter((order) => clientId === undefined || order.clientId === clientId)
  const [order, ...others] = chosen
  if (order === undefined)
    return { problem: masker.mask(noOrder(found, requestId, { evidence, masker, clientId })) }
  if (others.length > 0) return { problem: masker.mask(severalAccounts(found, requestId)) }
  const recorded = recordedStory(order, evidence, { masker, overlay: settings })
  const id = storyId(masker.mask(requestId))
  const kept = keepOrder(recorded.life, {
    id,
    description: 'What happened to an order in a capture',
    comment: `Written by learn from what a capture shows of the order ${masker.mask(requestId)}.`,
  })
  const notes = [...new Set([...recorded.notes, ...kept.notes])].map((note) => masker.mask(note))
  const scenario = commented(kept.yaml, recorded.notes)
  const masked = masker.mask(scenario)
  const create = createCallOf(order, recorded, masker)
  return {
    id,
    // Masking a word of the syntax would break the file. All values are masked before.
    scenario: 'problems' in readScenarioFile(masked, id, id) ? scenario : masked,
    fixture: fixtureOf(order, { id, recorded, masker, settings, create }),
    create,
    notes,
  }
}

/** Adds comments to the head of a file. */
function commented(yaml: string, notes: readonly string[]): string {
  const start = yaml.search(/^id: /m)
  const comments = [...new Set(notes)].map((note) => `${yamlComment(note)}\n`)
  return yaml.slice(0, start) + comments.join('') + yaml.slice(start)
}

function noOrder(
  found: readonly SeenOrder[],
  requestId: string,
  {
    evidence: { orders },
    masker,
    clientId,
  }: { readonly evidence: Evidence; readonly masker: Masker; readonly clientId: string | undefined },
): string {
  if (found.length > 0)
    return `The account "${clientId}" has no order with the requestId "${requestId}" in the capture; ${accountsOf(found)} has one.`
  const near = nearestOf(
    requestId,
    // A masked requestId would be no help.
    orders.map((order) => order.requestId).filter((each) => masker.mask(each) === each),
  )
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((each) => `"${each}"`).join(', ')}?`
  return `No order in the capture has the requestId "${requestId}" (${orders.length} orders were read).${hint}`
}

const severalAccounts = (found: readonly SeenOrder[], requestId: string): string =>
  `Several accounts have an order with the requestId "${requestId}": ${accountsOf(found)}. Say which one you mean with the clientId.`

const accountsOf = (orders: readonly SeenOrder[]): string =>
  orders.map(({ clientId }) => (clientId === null ? 'one without a clientId' : `"${clientId}"`)).join(', ')

/** At most three requestIds that a mistyped one may have meant. */
function nearestOf(requestId: string, all: readonly string[]): string[] {
  const left = new Set(all.filter((each) => each !== requestId).slice(0, 10_000))
  const found = [...left].filter((each) => each.includes(requestId) || requestId.includes(each)).slice(0, 3)
  for (const each of found) left.delete(each)
  while (found.length < 3) {
    const next = nearest(requestId, left)
    if (next === undefined) break
    found.push(next)
    left.delete(next)
  }
  return found
}

/** The id of a story: `story-` and the letters and digits of the requestId. */
function storyId(requestId: string): string {
  const words = requestId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(-50)
  return `story-${words.replaceAll(/^-+|-+$/g, '') || 'order'}`
}

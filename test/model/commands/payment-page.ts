import fc from 'fast-check'
import type { Kind } from '../command.ts'
import { same } from '../difference.ts'
import { shownOrder } from '../observed.ts'
import { anyPick, type Pick, picked, pickWords } from './pick.ts'

interface Visit {
  readonly pick: Pick
  /** The payer's choice; null for only looking at the page. */
  readonly outcome: 'completed' | 'failed' | 'abandoned' | null
}

/** The payer opens the payment page of one of the latest orders, and may choose something. */
export const payOnPage: Kind<Visit> = {
  name: 'open the page of',
  weight: 6,
  parameters: fc.record({
    pick: anyPick({ yes: 1, no: 7 }),
    outcome: fc.constantFrom(null, null, 'completed', 'failed', 'abandoned'),
  }),
  words: ({ pick, outcome }) => `${pickWords(pick)}${outcome === null ? '' : `: ${outcome}`}`,
  act: async (world, { pick, outcome }) => {
    const { bench, sides } = world
    const { model } = sides[pick.client]
    const order = picked(world, pick)
    if (order === undefined) return
    const path = `/pay/${(await shownOrder(bench, order)).token}`
    const page = await bench.send(path, { method: 'GET' })
    const [, state] = /data-state="([a-z-]+)"/.exec(page.text) ?? []
    same([`${page.status} ${state}`], [`200 ${model.openPage(order)}`])
    if (outcome === null) return
    const body = `outcome=${outcome}&errorCode=9005`
    const { status } = await bench.send(path, { method: 'POST', body })
    same([`${status}`], [model.payOnPage(order, outcome, '9005') ? '303' : '200'])
  },
}

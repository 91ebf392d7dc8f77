import type { Entry } from './comparison.ts'
import type { Materials } from './materials.ts'
import { type Figures, measure } from './measure.ts'
import { versionOf } from './packages.ts'
import type { Peer } from './peer.ts'

/** A peer as it takes part in every round. */
interface Run {
  readonly peer: Peer
  readonly stored: number
  readonly figures: Figures[]
  failure: string | null
}

/** Measures all in every round, one after the other. What fails once is left out from then on.
 *  @param counts numbers of orders at the start: the first for all, the others for those that keep orders
 *  @returns by the number of orders at the start */
export async function measureInRounds(
  peers: readonly Peer[],
  counts: readonly number[],
  rounds: number,
  materials: Materials,
  say: (text: string) => void,
): Promise<ReadonlyMap<number, Entry[]>> {
  const runs = counts.flatMap((stored, index) =>
    peers.filter(({ keepsOrders }) => index === 0 || keepsOrders).map((peer) => runOf(peer, stored)),
  )
  for (let round = 1; round <= rounds; round++) {
    for (const run of runs.filter(({ failure }) => failure === null)) {
      say(`round ${round} of ${rounds}: ${run.peer.name}, ${run.stored.toLocaleString('en')} orders`)
      await measure(run.peer, materials, run.stored).then(
        (figures) => run.figures.push(figures),
        (error: unknown) => {
          run.failure = String(error)
        },
      )
    }
  }
  return new Map(counts.map((count) => [count, runs.filter(({ stored }) => stored === count).map(entryOf)]))
}

function runOf(peer: Peer, stored: number): Run {
  const missing = peer.missing?.()
  return { peer, stored, figures: [], failure: missing == null ? null : `it needs ${missing}` }
}

const entryOf = ({ peer, figures, failure }: Run): Entry => ({
  peer,
  version: peer.package === null ? '' : versionOf(peer.package),
  rounds: figures,
  ...(failure !== null && { failure }),
})

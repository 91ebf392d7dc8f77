import { join } from 'node:path'
import { compare } from './frame/comparison.ts'
import type { Section } from './frame/section.ts'
import { create, echo } from './load/requests.ts'

const beside = 'Hono echo'

const words = {
  checked: 'echo + 24 fields checked',
  verified: '+ token, signature, answer',
  stored: '+ three rows in a file',
}

/** What each thing that a create call must do takes, one on top of the other; see servers/ladder.ts. */
export const ladder: Section = {
  name: 'ladder',
  goal: null,
  runs: 'full',
  async run(bench) {
    const hono = await bench.program('hono')
    const server = await bench.program('ladder', join(bench.folder, 'ladder.db'))
    const rung = (path: keyof typeof words) => ({
      ...{ name: words[path], server, shape: { ...create, path: `/${path}` }, beside },
    })
    const alone = { connections: 1, by: 'p50' } as const
    return [
      ...(await compare(bench, [
        { name: beside, server: hono, shape: echo },
        rung('checked'),
        rung('verified'),
        rung('stored'),
        { name: 'create', server: await bench.emulator(), shape: create, beside },
      ])),
      ...(await compare(bench, [
        { name: beside, server: hono, shape: echo, ...alone },
        { ...rung('verified'), ...alone, name: `${words.verified}, one connection` },
      ])),
    ]
  },
}

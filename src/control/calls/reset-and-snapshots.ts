import * as z from 'zod'
import type { WorldPart } from '../../domain/fixture/world.ts'
import { snapshotDocument } from '../../domain/fixture/world-document.ts'
import { readWorld, worldText } from '../../domain/fixture/world-json.ts'
import { snapshotBytes } from '../../http/body.ts'
import { turns } from '../../time/timers.ts'
import { wallNow } from '../../time/wall.ts'
import { json } from '../answer.ts'
import { bytesCall, controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'

const resetRequest = z
  .strictObject({ keep: z.array(z.enum(['clients', 'scenarios'])).default([]) })
  .meta({ id: 'ResetRequest', example: { keep: ['clients'] } })

export const resetCalls = [
  controlCall({
    method: 'POST',
    path: '/reset',
    name: 'reset',
    summary: 'Reset everything, or one client, to the initial state',
    query: clientQuery,
    body: resetRequest,
    answers: {
      200: z.strictObject({ reset: z.string().meta({ description: 'The clientId, or `all`.' }) }),
    },
    errors: ['stopping'],
    handle: async ({ query: { clientId }, body: { keep } }, { reset }) => {
      await reset({
        clientId,
        keepClients: keep.includes('clients'),
        keepScenarios: keep.includes('scenarios'),
      })
      return json({ reset: clientId ?? 'all' })
    },
  }),
]

const headers = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="snapshot.json"',
}

export const snapshotCalls = [
  controlCall({
    method: 'GET',
    path: '/snapshot',
    name: 'takeSnapshot',
    summary: 'Save everything, or the sandbox of one client',
    description:
      'A restored snapshot continues exactly like the original: the same ids, due times and order of webhooks. (The ids of ' +
      'later orders depend on the seed, which the snapshot of one client does not contain.) The call waits up to two seconds ' +
      'for deliveries in progress.',
    query: clientQuery,
    body: noBody,
    answers: { 200: snapshotDocument },
    errors: ['stopping'],
    handle: async ({ query: { clientId = null }, c }, { snapshot, version }) => {
      // A HEAD request must not take a snapshot.
      if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
      const parts = await snapshot(clientId ?? undefined)
      const head = { version, wallAt: wallNow(), clientId }
      const text = ReadableStream.from(textOf(head, parts)).pipeThrough(new TextEncoderStream())
      return new Response(text, { headers })
    },
  }),
  bytesCall({
    method: 'PUT',
    path: '/snapshot',
    name: 'restoreSnapshot',
    summary: 'Restore everything, or the sandbox of one client',
    description:
      'Without `clientId`, the snapshot replaces everything. With it, that client in the snapshot replaces ' +
      'the client with the same id, if there is one. Other clients stay unchanged. Restores all or nothing.',
    query: clientQuery,
    clientMayBeNew: true,
    body: snapshotDocument,
    most: snapshotBytes,
    answers: {
      200: z.strictObject({
        restored: z.string().meta({ description: 'The clientId, or `all`.' }),
        clients: z.array(z.string()).meta({ description: 'The clients in the snapshot.' }),
      }),
    },
    errors: ['snapshot_invalid', 'snapshot_newer', 'snapshot_taken', 'stopping'],
    handle: async ({ query: { clientId }, bytes }, { restore }) => {
      const given = await readWorld(bytes, clientId, turns())
      return json({ restored: clientId ?? 'all', clients: await restore(given, clientId) })
    },
  }),
]

/** Writes a snapshot as text, and yields to other work between parts even if the reader is fast. */
async function* textOf(
  head: Parameters<typeof worldText>[0],
  parts: AsyncIterable<WorldPart>,
): AsyncGenerator<string, void> {
  const turn = turns()
  for await (const text of worldText(head, parts)) {
    yield text
    await turn()
  }
}

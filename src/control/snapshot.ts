import * as z from 'zod'
import { EmulatorError } from '../domain/errors.ts'
import { snapshotLimit } from '../http/body.ts'
import type { TakenSnapshot } from '../store/snapshot.ts'
import { wallNow } from '../time/wall.ts'
import { controlCall, noBody } from './control-call.ts'
import { clientQuery } from './input.ts'
import { json } from './json-answer.ts'
import { snapshotDocument, snapshotFormat } from './shapes/snapshot.ts'

const headers = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="snapshot.json"',
}

/** `/snapshot`: everything, or one client's world, out and in. */
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
    handle: async ({ query: { clientId }, c }, { snapshot, version }) => {
      // Nobody reads what a HEAD would copy.
      if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
      const taken = await snapshot(clientId)
      const head = { format: snapshotFormat, version, schema: taken.schema, wallAt: wallNow(), clientId }
      const text = ReadableStream.from(textOf(head, taken)).pipeThrough(new TextEncoderStream())
      return new Response(text, { headers })
    },
  }),
  controlCall({
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
    limit: snapshotLimit,
    answers: {
      200: z.strictObject({
        restored: z.string().meta({ description: 'The clientId, or `all`.' }),
        clients: z.array(z.string()).meta({ description: 'The clients in the snapshot.' }),
      }),
    },
    errors: ['snapshot_invalid', 'snapshot_newer', 'snapshot_taken', 'stopping'],
    handle: async ({ query: { clientId }, body }, { restore }) => {
      refuseOtherScope(body.clientId, clientId)
      const clients = await restore(body, clientId)
      return json({ restored: clientId ?? 'all', clients })
    },
  }),
]

/** One client's world does not stand for everything. @throws snapshot_invalid */
function refuseOtherScope(has: string | null, wanted: string | undefined): void {
  if (has === null || has === wanted) return
  const advice = `PUT /_emulator/snapshot?clientId=${encodeURIComponent(has.toWellFormed())}`
  const problem = `it contains only the client "${has}"; ${advice} restores that client`
  throw new EmulatorError('snapshot_invalid', { problem })
}

/** The document in pieces, so that nobody waits until all of it is made. */
async function* textOf(
  { clientId = null, ...head }: Readonly<Record<string, unknown>>,
  { parts }: TakenSnapshot,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ ...head, clientId }).slice(0, -1)},"tables":{`
  let table: string | null = null
  let separator = ''
  for await (const { name, columns, rows } of parts) {
    if (name !== table) {
      const end = table === null ? '' : '\n]},'
      yield `${end}\n${JSON.stringify(name)}:{"columns":${JSON.stringify(columns)},"rows":[`
      table = name
      separator = '\n'
    }
    if (rows.length === 0) continue
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield `${table === null ? '' : '\n]}'}\n}}\n`
}

import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Server } from '../frame/server.ts'
import { createCall } from '../load/requests.ts'

/** Makes create calls at an even pace, whether or not those before have been answered.
 *  @param first number of the first order
 *  @returns from sending to answer, milliseconds, one for each call */
export async function paced(
  { url }: Server,
  { perSecond, seconds, first }: { perSecond: number; seconds: number; first: number },
): Promise<number[]> {
  await using pool = disposable(new Pool(url, { connections: 64 }))
  const call = async (n: number) => {
    const begun = performance.now()
    const { path, headers, body } = createCall(n)
    const answer = await pool.request({ path, method: 'POST', headers, body })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`a create call was answered by ${answer.statusCode}`)
    return performance.now() - begun
  }
  const calls: Promise<number>[] = []
  const begun = performance.now()
  while (calls.length < perSecond * seconds) {
    const dueMs = (calls.length / perSecond) * 1000
    const leftMs = begun + dueMs - performance.now()
    if (leftMs > 0) await pause(leftMs)
    else calls.push(call(first + calls.length))
  }
  return Promise.all(calls)
}

const disposable = (pool: Pool) => Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() })

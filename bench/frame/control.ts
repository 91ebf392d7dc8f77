import type { Server } from './processes.ts'

/** Makes a call of the control API. @throws if the answer is not a 2xx */
export async function control(
  { url }: Pick<Server, 'url'>,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(`${url}/_emulator${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text.startsWith('{') ? JSON.parse(text) : text
}

/** The client that `serve` makes. */
export const demoClient = 'demo-client'

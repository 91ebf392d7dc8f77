/** Makes a call of the control API. @throws what it answers if that is not a 2xx */
export async function control(
  server: { readonly url: string },
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(`${server.url}/_emulator${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

/** The client that `serve` makes. */
export const demoClient = 'demo-client'

import type { Settings } from '../domain/choices.ts'

/** A webhook body as it goes over the wire: in the format `jwt` a token of it, keyed with the client's API secret,
 *  in `{"payload":"..."}`; in the others as it is (N36). The token holds nothing else, no time of its making, so
 *  that it is the same whenever it is made. */
export async function sealed(body: string, settings: Settings, apiSecret: string): Promise<string> {
  if (settings['webhook.format'] !== 'jwt') return body
  // Loaded late: hardly anybody needs it.
  const { SignJWT } = await import('jose')
  const token = await new SignJWT(JSON.parse(body))
    .setProtectedHeader({ alg: settings['webhook.jwtAlgorithm'], typ: 'JWT' })
    .sign(new TextEncoder().encode(apiSecret))
  return JSON.stringify({ payload: token })
}

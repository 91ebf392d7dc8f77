import type { Context } from 'hono'
import { EmulatorError } from '../domain/errors.ts'
import { readBody } from '../http/body.ts'
import { refuseUndecodable, undecodable } from '../http/request.ts'

/** What a form sends. @throws too_large, body_cut, invalid_input if it is not UTF-8 */
export async function formIn(c: Context): Promise<URLSearchParams> {
  const { text, utf8 } = await readBody(c)
  if (!utf8) throw new EmulatorError('invalid_input', { problems: 'the form is not valid UTF-8' })
  refuseUndecodable(undecodable(text))
  return new URLSearchParams(text)
}

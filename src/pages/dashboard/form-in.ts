import type { Context } from 'hono'
import { readBody } from '../../http/body.ts'

/** What a form sends. @throws too_large, body_cut */
export const formIn = async (c: Context): Promise<URLSearchParams> =>
  new URLSearchParams((await readBody(c)).text)

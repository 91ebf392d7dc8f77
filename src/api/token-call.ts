import * as z from 'zod'

/** The emulator's own path of the access token API, below `/_emulator` (N64a). */
export const ownTokenPath = '/access-token'

/** The access token API at the emulator's own path (N64a), described as a control call. */
export const ownTokenCall = {
  method: 'POST',
  path: ownTokenPath,
  name: 'issueAccessToken',
  summary: 'Get an access token',
  description:
    'Needs no control token, because the body identifies the client. The setting `auth.tokenRoute` adds the same call at your own path, with your field names.',
  query: z.strictObject({
    clientId: z.string().optional().meta({ description: 'If given, the same as in the body.' }),
  }),
  body: z
    .strictObject({ clientId: z.string(), apiSecret: z.string() })
    .meta({ id: 'Credentials', example: { clientId: 'demo-client', apiSecret: 'demo-secret' } }),
  answers: {
    200: z
      .strictObject({ accessToken: z.string(), expiresIn: z.int().meta({ description: 'Seconds.' }) })
      .meta({ id: 'IssuedToken', example: { accessToken: 'at_5f2b', expiresIn: 1800 } }),
  },
  errors: ['bad_credentials', 'limit_reached'],
  guarded: false,
} as const

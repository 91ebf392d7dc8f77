import { jwtForm } from '../webhook/jwt.ts'
import { signatureRecipe } from '../webhook/recipe.ts'
import { type Choice, setting } from './choice.ts'

/** Assumptions about signatures of webhooks, and about webhooks that are a JWT. */
export const signingChoices = [
  {
    n: 'N73',
    open: 'How signatures are made, if the provider signs in a way of its own.',
    choice:
      'As N38 says. With `webhook.signature`, by your own recipe instead: `header` and how it reads (`format`), what is ' +
      '`signed`, `algorithm`, `encoding`, `secret` and how it becomes a key (`secretAs`), how the `timestamp` is written, ' +
      'more `headers`, and what a rotation of the webhook secret does (`rotation`, `separator`). Of `webhook.auth` and ' +
      '`webhook.signature`, the one that is set closer to the order applies.',
    reason:
      'Your application verifies what your provider sends, so the emulator has to sign in the same way.',
    settings: {
      'webhook.signature': setting(signatureRecipe.nullable(), null, {
        allowed:
          'nothing, or a recipe with `header`, and optionally `format`, `signed`, `algorithm`, `encoding`, `secret`, ' +
          '`secretAs`, `timestamp`, `headers`, `keyId`, `rotation`, `separator`',
      }),
    },
  },
  {
    n: 'N74',
    open: 'The token of a webhook in the format `jwt`.',
    choice:
      'As N36 says: the body is `{"payload": "<token>"}`, without time or id. With `webhook.jwt`, of your own form: in ' +
      'another field of the body (`member`) or in a header (`header`), with your own `claims`, with `iat`, `exp`, `jti` ' +
      'and `kid`, with another `algorithm`, and keyed with another secret (`secret`, `secretAs`) or a `key` of its own; `RS256` takes a ' +
      'private RSA key. With another format, `${jwt}` in `webhook.template` and `webhook.headers` is this token.',
    reason: 'Services that send a JWT differ in all of this.',
    settings: {
      'webhook.jwt': setting(jwtForm.nullable(), null, {
        allowed:
          'nothing, or a form with `member` or `header`, and optionally `claims`, `iat`, `exp`, `jti`, `kid`, ' +
          '`algorithm`, `secret`, `secretAs`, `key`',
      }),
    },
    also: ['webhook.jwtAlgorithm'],
  },
] as const satisfies readonly Choice[]

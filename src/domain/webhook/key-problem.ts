import { type JwtSettings, jwtOf } from './jwt.ts'
import { isStandard, recipeOf, type SignatureSettings } from './recipe.ts'
import {
  type ClientSecrets,
  type SecretForm,
  type SecretName,
  secretFields,
  unreadableKey,
} from './secret.ts'

type KeySettings = SignatureSettings & JwtSettings

/** The settings that read a secret of a client as a key. */
function readersIn(settings: KeySettings) {
  const jwt = jwtOf(settings)
  return [
    { name: 'webhook.signature', choice: recipeOf(settings) },
    { name: 'webhook.jwt', choice: jwt?.key === undefined ? jwt : null },
  ] as const
}

/** The secrets of Standard Webhooks (N38). */
const standardSecret =
  /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/

/** Finds a setting that reads a client's secret in a form that it does not have; undefined for none. The message follows
 *  the name of the setting; with `webhook.auth`, the name of the field. */
export function keyProblem(settings: KeySettings, secrets: ClientSecrets) {
  if (isStandard(recipeOf(settings)) && !standardSecret.test(secrets.webhookSecret)) {
    const message =
      'must be `whsec_` followed by base64, the format of Standard Webhooks, unless `webhook.signature` says how it is read'
    return { name: 'webhook.auth', field: 'webhookSecret', message } as const
  }
  for (const { name, choice } of readersIn(settings)) {
    const message = choice === null ? undefined : unreadableKey(choice, secrets)
    if (choice !== null && message !== undefined) return { name, field: secretFields[choice.secret], message }
  }
  return undefined
}

/** The forms in which the settings read a secret. */
export const formsOf = (settings: KeySettings, secret: SecretName): SecretForm[] =>
  readersIn(settings).flatMap(({ choice }) => (choice?.secret === secret ? [choice.secretAs] : []))

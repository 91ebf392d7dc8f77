import { type JwtSettings, jwtOf } from './jwt.ts'
import { recipeOf, type SignatureSettings } from './recipe.ts'
import { type ClientSecrets, type SecretForm, type SecretName, unreadableKey } from './secret.ts'

type KeySettings = SignatureSettings & JwtSettings

/** The settings that read a secret of a client as a key. */
function readersIn(settings: KeySettings) {
  const jwt = jwtOf(settings)
  return [
    { name: 'webhook.signature', choice: recipeOf(settings) },
    { name: 'webhook.jwt', choice: jwt?.key === undefined ? jwt : null },
  ] as const
}

/** Finds a setting that reads a client's secret in a form that it does not have; undefined for none. */
export function keyProblem(settings: KeySettings, secrets: ClientSecrets) {
  for (const { name, choice } of readersIn(settings)) {
    const message = choice === null ? undefined : unreadableKey(choice, secrets)
    if (message !== undefined) return { name, message }
  }
  return undefined
}

/** The forms in which the settings read a secret. */
export const formsOf = (settings: KeySettings, secret: SecretName): SecretForm[] =>
  readersIn(settings).flatMap(({ choice }) => (choice?.secret === secret ? [choice.secretAs] : []))

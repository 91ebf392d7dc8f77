// Loaded late: it brings the schemas of all settings along.
import { settingsShown } from '../../domain/choices/settings.ts'
import { authWords, carriesSeveral, recipeOf, signsTime } from '../../domain/webhook/recipe.ts'
import { hasVersion } from '../../domain/webhook/signed-headers.ts'

/** How the webhooks of a client are signed. */
export interface Signing {
  /** The header with the signature, in lower case. */
  readonly header: string
  /** Whether the time is signed too. */
  readonly signsTime: boolean
  /** Whether a webhook can carry several signatures. */
  readonly carriesSeveral: boolean
  /** Whether each signature names its version. */
  readonly hasVersion: boolean
  /** The setting that asks for it, in words: `standard`, `webhook.signature`. */
  readonly words: string
}

/** Reads how webhooks are signed from the settings of a client; null if they are not. */
export function signingOf(effective: Readonly<Record<string, unknown>>): Signing | null {
  const settings = settingsShown(effective)
  const recipe = recipeOf(settings)
  if (recipe === null) return null
  return {
    header: recipe.header,
    signsTime: signsTime(recipe),
    carriesSeveral: carriesSeveral(recipe),
    hasVersion: hasVersion(recipe),
    words: authWords(settings),
  }
}

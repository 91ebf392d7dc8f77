import { conflictIn, conflictWithin } from '../domain/choices/read-settings.ts'
import { effectiveSettings, type Settings, type SettingsOverlay } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'
import { keyProblem } from '../domain/webhook/key-problem.ts'

/** The layers of settings: of the start, common ones of run time, then a client's own. Results are cached, because
 *  every request asks for them. */
export class SettingLayers {
  readonly #start: SettingsOverlay
  #common: SettingsOverlay = {}
  #shared: Settings
  /** Caches the effective settings by a client's own settings, an object that is replaced at each change. */
  #effective = new WeakMap<SettingsOverlay, Settings>()

  /** @param start the settings from `--settings` and `--public-url` */
  constructor(start: SettingsOverlay) {
    this.#start = start
    this.#shared = effectiveSettings(start)
  }

  /** The settings that were set for all clients at run time. */
  get common(): SettingsOverlay {
    return this.#common
  }

  /** Returns the effective settings for all clients. */
  get shared(): Settings {
    return this.#shared
  }

  setCommon(common: SettingsOverlay): void {
    this.#common = common
    this.#shared = effectiveSettings(this.#start, common)
    this.#effective = new WeakMap()
  }

  /** Returns the levels of settings over the defaults, lowest first. */
  under(client?: Pick<Client, 'settings'>): SettingsOverlay[] {
    const shared = [this.#start, this.#common]
    return client === undefined ? shared : [...shared, client.settings]
  }

  /** Returns the effective settings of a client.
   *  @param over the settings of a scenario */
  of(client: Pick<Client, 'settings'>, over: SettingsOverlay = {}): Settings {
    if (Object.keys(over).length > 0) return effectiveSettings(...this.under(client), over)
    const known = this.#effective.get(client.settings)
    if (known !== undefined) return known
    const settings = effectiveSettings(...this.under(client))
    this.#effective.set(client.settings, settings)
    return settings
  }

  /** Returns the conflict between the settings for all clients and a client with its own settings, if there is any. */
  conflict(
    common: SettingsOverlay,
    client?: Pick<Client, 'settings' | 'webhookSecret' | 'apiSecret'>,
  ): ReturnType<typeof conflictIn> {
    const own = client?.settings ?? {}
    const settings = effectiveSettings(this.#start, common, own)
    return (
      conflictWithin(common) ??
      conflictWithin(own) ??
      conflictIn(settings) ??
      (client && keyConflict(settings, client))
    )
  }
}

function keyConflict(settings: Settings, client: Pick<Client, 'webhookSecret' | 'apiSecret'>) {
  const problem = keyProblem(settings, client)
  if (problem?.name !== 'webhook.auth') return problem
  return { ...problem, message: `the webhookSecret ${problem.message}` }
}

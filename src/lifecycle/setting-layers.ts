import { conflictIn } from '../domain/choices/read-settings.ts'
import { effectiveSettings, type Settings, type SettingsOverlay } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'

/** The layers of settings: of the start, common ones of run time, then a client's own. Results are cached, because
 *  every request asks for them. */
export class SettingLayers {
  readonly #start: SettingsOverlay
  #common: SettingsOverlay = {}
  #shared: Settings
  /** By a client's own overlay, an object that is replaced at each change. */
  #effective = new WeakMap<SettingsOverlay, Settings>()

  /** @param start the settings of `--settings` and `--public-url` */
  constructor(start: SettingsOverlay) {
    this.#start = start
    this.#shared = effectiveSettings(start)
  }

  /** The settings that were set for all clients at run time. */
  get common(): SettingsOverlay {
    return this.#common
  }

  /** The effective settings for all clients. */
  get shared(): Settings {
    return this.#shared
  }

  setCommon(common: SettingsOverlay): void {
    this.#common = common
    this.#shared = effectiveSettings(this.#start, common)
    this.#effective = new WeakMap()
  }

  /** The overlays over the defaults, lowest first. */
  under(client?: Pick<Client, 'settings'>): SettingsOverlay[] {
    const shared = [this.#start, this.#common]
    return client === undefined ? shared : [...shared, client.settings]
  }

  /** The effective settings of a client.
   *  @param over the overlay of a scenario */
  of(client: Pick<Client, 'settings'>, over: SettingsOverlay = {}): Settings {
    if (Object.keys(over).length > 0) return effectiveSettings(...this.under(client), over)
    const known = this.#effective.get(client.settings)
    if (known !== undefined) return known
    const settings = effectiveSettings(...this.under(client))
    this.#effective.set(client.settings, settings)
    return settings
  }

  /** The conflict between settings of all clients and those of one client, if there is any. */
  conflict(common: SettingsOverlay, own: SettingsOverlay = {}): ReturnType<typeof conflictIn> {
    return conflictIn(effectiveSettings(this.#start, common, own))
  }
}

import { conflictIn } from '../domain/choices/read-settings.ts'
import { effectiveSettings, type Settings, type SettingsOverlay } from '../domain/choices/settings.ts'
import type { Client } from '../domain/client/client.ts'

/** The layers of settings: those of the start, over them the common ones that came at run time, over them a client's
 *  own. What holds is worked out once and kept: every request asks for it. */
export class SettingLayers {
  readonly #start: SettingsOverlay
  #common: SettingsOverlay = {}
  #shared: Settings
  /** By a client's own overlay, which is made anew at each change. */
  #effective = new WeakMap<SettingsOverlay, Settings>()

  /** @param start those of `--settings` and `--public-url` */
  constructor(start: SettingsOverlay) {
    this.#start = start
    this.#shared = effectiveSettings(start)
  }

  /** Those that were set for all clients at run time. */
  get common(): SettingsOverlay {
    return this.#common
  }

  /** What holds for all clients. */
  get shared(): Settings {
    return this.#shared
  }

  setCommon(common: SettingsOverlay): void {
    this.#common = common
    this.#shared = effectiveSettings(this.#start, common)
    this.#effective = new WeakMap()
  }

  /** What is laid over the defaults, from below. */
  under(client?: Pick<Client, 'settings'>): SettingsOverlay[] {
    const shared = [this.#start, this.#common]
    return client === undefined ? shared : [...shared, client.settings]
  }

  /** What holds for a client.
   *  @param over of a scenario, laid over the client's */
  of(client: Pick<Client, 'settings'>, over: SettingsOverlay = {}): Settings {
    if (Object.keys(over).length > 0) return effectiveSettings(...this.under(client), over)
    const known = this.#effective.get(client.settings)
    if (known !== undefined) return known
    const settings = effectiveSettings(...this.under(client))
    this.#effective.set(client.settings, settings)
    return settings
  }

  /** What would be wrong with settings taken together: of all clients, or of one whose own are these. */
  conflict(common: SettingsOverlay, own: SettingsOverlay = {}): ReturnType<typeof conflictIn> {
    return conflictIn(effectiveSettings(this.#start, common, own))
  }
}

import { readSettings } from '../domain/choices/read-settings.ts'
import { mergeOverlay, type SettingsOverlay } from '../domain/choices/settings.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { Store } from '../store/store.ts'
import type { Clients } from './clients.ts'
import type { SettingLayers } from './setting-layers.ts'
import type { Load } from './world-loader.ts'

/** The settings of all clients that are changed at run time, kept over the store. */
export class CommonSettings {
  readonly #store: Store
  readonly #clients: Clients
  readonly #layers: SettingLayers
  readonly #onChanged: () => void

  constructor(options: { store: Store; clients: Clients; layers: SettingLayers; onChanged: () => void }) {
    this.#store = options.store
    this.#clients = options.clients
    this.#layers = options.layers
    this.#onChanged = options.onChanged
  }

  /** Reads those that the store has.
   *  @throws settings_conflict if this program, or what it was started with, no longer goes with them */
  readonly load: Load = async () => {
    const stored = await this.#store.commonSettings()
    // To look at none would make the schemas of all, which a start can do without.
    const problem = Object.keys(stored).length > 0 ? this.problemWith(stored) : undefined
    if (problem !== undefined) throw new EmulatorError('settings_conflict', { problem })
    return () => this.#set(stored)
  }

  /** Why settings could not hold for all clients of this emulator; undefined if they could. */
  problemWith(stored: SettingsOverlay): string | undefined {
    const reading = readSettings(stored, { scope: 'common', nulls: 'remove' })
    return reading.ok ? this.#layers.conflict(stored)?.message : reading.problems[0]?.message
  }

  /** Changes them, at once and for all clients; `null` takes one away. @throws invalid_input */
  change(patch: SettingsOverlay): Promise<void> {
    return this.#clients.turns.take(async () => {
      const common = mergeOverlay(this.#layers.common, patch)
      this.#refuseConflict(common)
      await this.#store.saveCommonSettings(common)
      this.#set(common)
      this.#clients.wakeAll()
    })
  }

  /** Forgets them; the caller has removed them from the store. */
  forget(): void {
    // Without any, what follows from them stays as it is: routes, for one, that are slow to make.
    if (Object.keys(this.#layers.common).length > 0) this.#set({})
  }

  #set(common: SettingsOverlay): void {
    this.#layers.setCommon(common)
    this.#onChanged()
  }

  /** What would be right for all may not go with what one client has of its own. @throws invalid_input */
  #refuseConflict(common: SettingsOverlay): void {
    const shared = this.#layers.conflict(common)
    if (shared !== undefined) throw refused(`${shared.name}: ${shared.message}`)
    for (const { clientId, settings } of this.#clients.all()) {
      const conflict = this.#layers.conflict(common, settings)
      // One that is there already keeps no other change from being made.
      if (conflict === undefined || this.#layers.conflict(this.#layers.common, settings) !== undefined)
        continue
      const { name, message } = conflict
      throw refused(`${name}: in combination with the settings of the client "${clientId}", ${message}`)
    }
  }
}

const refused = (problems: string) => new EmulatorError('invalid_input', { problems })

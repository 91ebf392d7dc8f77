import { readSettings } from '../domain/choices/read-settings.ts'
import { mergeOverlay, type SettingsOverlay } from '../domain/choices/settings.ts'
import { EmulatorError } from '../domain/text/errors.ts'
import type { Store } from '../store/store.ts'
import type { Clients } from './clients.ts'
import type { SettingLayers } from './setting-layers.ts'
import type { Load } from './world-loader.ts'

/** Stores the settings of all clients that are changed at run time, with a copy in memory. */
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

  /** Loads the stored common settings.
   *  @throws settings_conflict if they conflict with this version or with the settings of the start */
  readonly load: Load = async () => {
    const stored = await this.#store.commonSettings()
    // Checking no settings would still build all schemas, which costs time at a start.
    const problem = Object.keys(stored).length > 0 ? this.problemWith(stored) : undefined
    if (problem !== undefined) throw new EmulatorError('settings_conflict', { problem })
    return () => this.#set(stored)
  }

  /** The reason why settings could not hold for all clients of this emulator; undefined if they could. */
  problemWith(stored: SettingsOverlay): string | undefined {
    const reading = readSettings(stored, { scope: 'common', nulls: 'remove' })
    return reading.ok ? this.#layers.conflict(stored)?.message : reading.problems[0]?.message
  }

  /** Changes settings for all clients at once; `null` removes one.
   *  @throws invalid_input */
  change(patch: SettingsOverlay): Promise<void> {
    return this.#clients.turns.take(async () => {
      const common = mergeOverlay(this.#layers.common, patch)
      this.#refuseConflict(common)
      await this.#store.saveCommonSettings(common)
      this.#set(common)
      this.#clients.wakeAll()
    })
  }

  /** Forgets the settings after the caller removed them from the store. */
  forget(): void {
    // If there were no settings, nothing has changed, and the routes need not be built again, which is slow.
    if (Object.keys(this.#layers.common).length > 0) this.#set({})
  }

  #set(common: SettingsOverlay): void {
    this.#layers.setCommon(common)
    this.#onChanged()
  }

  /** Rejects common settings that conflict with the settings of any client.
   *  @throws invalid_input */
  #refuseConflict(common: SettingsOverlay): void {
    const shared = this.#layers.conflict(common)
    if (shared !== undefined) throw refused(`${shared.name}: ${shared.message}`)
    for (const client of this.#clients.all()) {
      const conflict = this.#layers.conflict(common, client)
      // A conflict that exists already must not block other changes.
      if (conflict === undefined || this.#layers.conflict(this.#layers.common, client) !== undefined) continue
      const { name, message } = conflict
      throw refused(
        `${name}: in combination with the settings of the client "${client.clientId}", ${message}`,
      )
    }
  }
}

const refused = (problems: string) => new EmulatorError('invalid_input', { problems })

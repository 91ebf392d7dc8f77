import fc from 'fast-check'
import { anyClient, type Kind } from '../command.ts'
import { type SettingChange, settingChanges } from '../model-settings.ts'
import type { ClientId } from '../world.ts'

/** Changes one of the client's settings. Those about orders hold for the coming ones. */
export const settings: Kind<SettingChange & { readonly client: ClientId }> = {
  name: 'set',
  weight: 4,
  parameters: fc
    .tuple(anyClient, fc.constantFrom(...settingChanges))
    .map(([client, change]) => ({ client, ...change })),
  words: ({ client, name, value }) => `${name} of ${client} to ${value}`,
  act: async ({ sides }, { client, name, value, means }) => {
    const { real, model } = sides[client]
    await real.change({ settings: { [name]: value } })
    model.set(means)
  },
}

import type { JsonObject } from './answer.ts'
import type { TestClient } from './client.ts'
import type { TestEmulator } from './emulator.ts'

/** Plans a fault of one client, or of all; answers it as the emulator does. */
export async function planFault(
  emulator: TestEmulator,
  client: TestClient | null,
  fault: object,
): Promise<JsonObject> {
  const query = client === null ? '' : `?clientId=${client.clientId}`
  return (await emulator.control(`/faults${query}`, 'POST', fault)).json
}

/** A planned fault as it is now. */
export async function faultNow(emulator: TestEmulator, { id }: JsonObject): Promise<JsonObject> {
  return (await emulator.control(`/faults/${id}`)).json
}

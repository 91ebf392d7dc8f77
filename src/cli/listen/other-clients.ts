import { oneLine } from '../../domain/one-line.ts'
import { toldIn } from '../../webhooks/told.ts'

/** Why a signature that is not right may yet be: it is another client's. Words that go on from "signature".
 *  @returns null if the webhook does not say so */
export function otherClients(body: string, clientId: string): string | null {
  const owner = toldIn(body).clientId
  if (owner === undefined || owner === clientId) return null
  const name = oneLine(owner, 120)
  return `not checked: this webhook belongs to ${name}, and this listener verifies for ${oneLine(clientId, 120)} (use \`listen --client ${name}\`)`
}

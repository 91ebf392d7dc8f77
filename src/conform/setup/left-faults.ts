import type { TestClient } from '../../index.ts'
import type { ConfigurationProblem } from '../report.ts'

/** What is wrong where faults were planned for the client before a run: they would be taken for what the application
 *  does. */
export async function leftFaults(client: TestClient): Promise<ConfigurationProblem[]> {
  const left = (await client.faults.list()).filter(({ over }) => !over)
  if (left.length === 0) return []
  const ids = left.map(({ id }) => id).join(', ')
  return [
    {
      member: 'client',
      message: `${left.length === 1 ? 'a fault is' : `${left.length} faults are`} planned for the client ${client.clientId} (${ids}), and would distort the results; remove ${left.length === 1 ? 'it' : 'them'} on the dashboard or with \`DELETE /_emulator/faults/{id}\``,
    },
  ]
}

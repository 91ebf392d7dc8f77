import { onTestFinished } from 'vitest'
import { type Config, type ConfigInput, configSchema } from '../../src/app/config.ts'
import type { Log } from '../../src/cli/log/log.ts'
import { type Running, start } from '../../src/cli/serve/start.ts'
import { sign } from '../../src/domain/webhook/signature.ts'

/** An emulator on a free port that ends with the test. */
export async function startForTest(
  input: ConfigInput = {},
  event: Log['event'] = () => {},
): Promise<Running & { config: Config }> {
  const config = configSchema.parse({ port: 0, ...input })
  const error = (thrown: unknown) => {
    throw thrown
  }
  const running = await start(config, { event, error })
  onTestFinished(() => running.close())
  return { ...running, config }
}

/** A create call of the demo client, signed over `signed`. */
export function create(
  url: string,
  requestId: string,
  signed = `fiatAmount=10.00&requestId=${requestId}`,
): Promise<Response> {
  const body = {
    currencyId: 'usd_us',
    fiatAmount: '10.00',
    email: 'a@example.com',
    requestId,
    clientId: 'demo-client',
  }
  return fetch(`${url}/v1/client/checkout/create-order`, {
    method: 'POST',
    headers: {
      'access-token': 'demo-token',
      'content-type': 'application/json',
      signature: sign(signed, 'demo-secret'),
    },
    body: JSON.stringify(body),
  })
}

import { ControlApi } from './control-api.ts'
import { emulatorFetch } from './emulator-fetch.ts'
import { ControlCallRefused } from './errors.ts'
import { httpTransport } from './http-transport.ts'
import { TestEmulator } from './test-emulator.ts'
import { wayTo } from './way.ts'

/** How to reach a running emulator. */
export interface ConnectOptions {
  /** What its control API asks for, if it does. */
  readonly controlToken?: string
}

/** Connects to an emulator that runs elsewhere: a container, a service of the CI job, a terminal.
 *  @param url its base URL, like `http://localhost:4600`
 *  @throws EmulatorUnreachable, ControlCallRefused (the control token is missing or wrong; it is no emulator) */
export async function connectEmulator(url: string, options: ConnectOptions = {}): Promise<TestEmulator> {
  const base = url.replace(/\/+$/, '')
  const way = wayTo()
  const transport = httpTransport(base, way)
  const api = new ControlApi(transport, options.controlToken ?? null)
  try {
    // Whether it is one, and whether it lets us in.
    await api.call('GET', '/about')
  } catch (error) {
    await way.close()
    throw error instanceof ControlCallRefused && error.status === 401
      ? withHint(error, options.controlToken !== undefined)
      : error
  }
  return new TestEmulator({
    api,
    service: { url: base, transport },
    fetch: emulatorFetch(base, way),
    close: () => way.close(),
  })
}

function withHint(error: ControlCallRefused, given: boolean): ControlCallRefused {
  const hint = given
    ? 'the controlToken is not the one it was started with'
    : "give its token: connectEmulator(url, { controlToken: '...' })"
  return new ControlCallRefused(`${error.message} (${hint})`, error)
}

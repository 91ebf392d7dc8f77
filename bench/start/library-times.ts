import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What each process has measured, in milliseconds. */
export interface LibraryTimes {
  readonly start: number[]
  readonly firstClient: number[]
  readonly client: number[]
  readonly order: number[]
  readonly reset: number[]
}

/** Starts the library in one new process after the other, as test runners do. */
export async function libraryTimes(rounds: number): Promise<LibraryTimes> {
  const times: LibraryTimes = { start: [], firstClient: [], client: [], order: [], reset: [] }
  // The first leaves behind what Node compiles; it takes its time.
  for (let round = -1; round < rounds; round += 1) {
    const [start = 0, firstClient = 0, order = 0, client = 0, reset = 0] = await inNewProcess(round < 0)
    if (round < 0) continue
    times.start.push(start)
    times.firstClient.push(firstClient)
    times.order.push(order)
    times.client.push(client)
    times.reset.push(reset)
  }
  return times
}

const library = new URL('../../dist/index.js', import.meta.url).href

const program = (lingers: boolean) => `
  const { startEmulator } = await import('${library}')
  const took = []
  let since = performance.now()
  const lap = () => {
    const now = performance.now()
    took.push(now - since)
    since = performance.now()
  }
  const emulator = await startEmulator()
  lap()
  const client = await emulator.createClient()
  lap()
  await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'ana@example.com' })
  lap()
  await emulator.createClient()
  lap()
  await emulator.reset()
  lap()
  await emulator.close()
  ${lingers ? 'await new Promise((resolve) => setTimeout(resolve, 2_500))' : ''}
  console.log(JSON.stringify(took))`

async function inNewProcess(lingers: boolean): Promise<number[]> {
  const args = ['--input-type=module', '--eval', program(lingers)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

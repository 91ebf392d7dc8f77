// Starts the built library in a new process, as a test runner does, and prints what its first calls took, in milliseconds.

const file = new URL('../../dist/index.js', import.meta.url).href
const { startEmulator }: typeof import('../../src/index.ts') = await import(file)
const took: number[] = []

const first = await timed(() => startEmulator())
await first.close()
const emulator = await timed(() => startEmulator())
const client = await emulator.createClient()
await client.createCheckoutOrder({ fiatAmount: '10.00', email: 'ana@example.com' })
await timed(() => emulator.createClient())
await timed(() => emulator.reset())
await emulator.close()
console.log(JSON.stringify(took))

async function timed<T>(act: () => Promise<T>): Promise<T> {
  const since = performance.now()
  const result = await act()
  took.push(performance.now() - since)
  return result
}

import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../dist/cli.js')
const clients = join(import.meta.dirname, 'clients')

let url = ''
let stop: () => Promise<void>

beforeAll(async () => {
  const child = spawn(process.execPath, [program, '--port', '0', '--log', 'json', '--clock', '60x'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stop = async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line)
    if (event.event !== 'ready') continue
    url = event.url
    break
  }
  child.stdout.resume()
})

afterAll(() => stop())

/** Clients that share no code with the emulator. CI installs their runtimes. */
test.each([
  ['curl and openssl', 'bash', 'client.sh'],
  ['Python’s urllib', 'python3', 'client.py'],
  ['Java’s HttpClient, which asks for HTTP/2', 'java', 'Client.java'],
])('%s: creates an order and follows it to COMPLETED', async (_, command, file) => {
  const { stdout } = await run(command, [join(clients, file), url, `from-${command}`])
  expect(stdout.trim()).toBe('COMPLETED')
})

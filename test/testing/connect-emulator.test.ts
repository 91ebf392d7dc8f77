import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ControlCallRefused, connectEmulator, EmulatorUnreachable } from '../../src/index.ts'
import { startTestEmulator } from '../support/emulator.ts'

/** Something else than an emulator. */
const somethingElse = (listener: RequestListener): Promise<string> => listening(createServer(listener))

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

test.each([undefined, '', 'localhost:4600', 'ftp://localhost', 'localhost'])(
  'connectEmulator(%j) is told to want a base URL',
  async (url) => {
    // As from JavaScript, with a variable that is not set.
    const connecting = Reflect.apply(connectEmulator, null, [url])
    await expect(connecting).rejects.toThrow(
      /^connectEmulator: expected the base URL of an emulator, like http:\/\/localhost:4600, not/,
    )
  },
)

test('an option that is misspelled is told', async () => {
  const options = Object.fromEntries([['controltoken', 'secret']])
  await expect(connectEmulator('http://localhost:4600', options)).rejects.toThrow(
    'unknown option `controltoken`; did you mean `controlToken`?',
  )
})

test.each([
  [null, 'expected an object of options, not null'],
  [{ readyWithinMs: Number.NaN }, 'readyWithinMs: expected milliseconds, not NaN'],
  [{ readyWithinMs: '5s' }, "readyWithinMs: expected milliseconds, not '5s'"],
  [{ controlToken: 5 }, 'controlToken: expected a string'],
  [{ controlToken: 'two\nlines' }, 'controlToken: expected a string of printable ASCII characters'],
])('the options %o are refused before anything is sent', async (options, words) => {
  const connecting = Reflect.apply(connectEmulator, null, ['http://localhost:4600', options])
  await expect(connecting).rejects.toThrow(`connectEmulator: ${words}`)
})

test('where nothing listens it asks whether it is running, and keeps the cause', async () => {
  const connecting = connectEmulator('http://127.0.0.1:1')
  await expect(connecting).rejects.toThrow(EmulatorUnreachable)
  await expect(connecting).rejects.toThrow(
    'connect ECONNREFUSED 127.0.0.1:1. Nothing is running there. Start it',
  )
  await expect(connecting).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

test('a name that nobody knows is told', async () => {
  await expect(connectEmulator('http://emulator.invalid:4600')).rejects.toThrow(
    'The host name emulator.invalid is unknown',
  )
})

test('https:// to an emulator, which speaks http, is told', async () => {
  const { url } = await startTestEmulator()
  await expect(connectEmulator(url.replace('http:', 'https:'))).rejects.toThrow(
    'The server does not speak TLS: use http:// instead of https://.',
  )
})

test('what does not speak HTTP is told', async () => {
  const url = await listening(
    createTcpServer((socket) => socket.end('220 mail.example.com ESMTP\r\n', () => socket.destroy())),
  )
  await expect(connectEmulator(url)).rejects.toThrow('Another program listens there.')
})

test.each([
  ['a page', 200, 'text/html', '<h1>Hello</h1>'],
  ['JSON of its own', 200, 'application/json', '{"name":"shop"}'],
  ['a page that says no', 404, 'text/html', '<h1>Not found</h1>'],
  ['a gateway', 502, 'application/json', '{"message":"bad gateway"}'],
])('something else that answers %s is told to be none', async (_, status, type, body) => {
  const url = await somethingElse((_request, response) =>
    response.writeHead(status, { 'content-type': type }).end(body),
  )
  const connecting = connectEmulator(url)
  await expect(connecting).rejects.toThrow(ControlCallRefused)
  await expect(connecting).rejects.toThrow(`the server at ${url} is not an emulator`)
})

test('without the control token it says how to give it, with a wrong one that it is wrong', async () => {
  const { url } = await startTestEmulator({ controlToken: 'secret' })
  await expect(connectEmulator(url)).rejects.toThrow("connectEmulator(url, { controlToken: '...' })")
  await expect(connectEmulator(url, { controlToken: 'x' })).rejects.toThrow(
    'the controlToken does not match the one that the emulator was started with',
  )
  await using emulator = await connectEmulator(url, { controlToken: 'secret' })
  await emulator.createClient()
})

test('the address of the dashboard does as well', async () => {
  const { url } = await startTestEmulator()
  await using emulator = await connectEmulator(`${url}/_emulator/`)
  expect(emulator.url).toBe(url)
})

test('a URL that is an object does as well', async () => {
  const { url } = await startTestEmulator()
  await using emulator = await connectEmulator(new URL(url))
  expect(emulator.url).toBe(url)
})

test('gives up a silent port after the time that it was given', async () => {
  const url = await somethingElse(() => {})
  const connecting = connectEmulator(url, { readyWithinMs: 1 })
  await expect(connecting).rejects.toThrow('it took too long. Is it busy, or is another program there?')
})

test('waits for one that is still starting', async () => {
  const { url } = await startTestEmulator()
  // As with a container: connections are refused, a gateway answers an error, nothing answers.
  let tries = 0
  const proxy = await somethingElse((request, response) => {
    tries += 1
    if (tries === 1) return response.destroy()
    if (tries === 2) return response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Soon</h1>')
    return fetch(`${url}${request.url}`).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
  })
  await using emulator = await connectEmulator(proxy, { readyWithinMs: 10_000 })
  expect(tries).toBe(3)
  expect((await emulator.about()).seed).toBe('test')
})

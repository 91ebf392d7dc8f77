import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { paths, sign, type TestClient } from './client.ts'
import type { TestEmulator } from './emulator.ts'

/** How a connection ended: closed by the other side (`end`), reset (`ECONNRESET`), or by us (`left`). */
type Ending = 'end' | 'ECONNRESET' | 'left'

/** A call on a bare socket, for what an HTTP client would hide. */
export class RawCall {
  readonly #socket: Socket
  #text = ''
  readonly #ended = Promise.withResolvers<Ending>()
  readonly #answered = Promise.withResolvers<void>()

  /** @param allowHalfOpen the other side may close, this one does not */
  constructor({ url }: Pick<TestEmulator, 'url'>, request: string, { allowHalfOpen = false } = {}) {
    const { port } = new URL(url)
    const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen })
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(request))
    socket.on('data', (chunk) => {
      this.#text += chunk
      this.#answered.resolve()
    })
    socket.on('end', () => this.#ended.resolve('end'))
    socket.on('error', (error: Error & { code?: string }) =>
      this.#ended.resolve(error.code === 'ECONNRESET' ? error.code : 'left'),
    )
    socket.on('close', () => this.#ended.resolve('left'))
    onTestFinished(() => void socket.destroy())
    this.#socket = socket
  }

  /** Sends more. */
  write(bytes: string | Buffer): void {
    this.#socket.write(bytes)
  }

  /** The text that has arrived so far. */
  get text(): string {
    return this.#text
  }

  /** When the first byte has arrived. */
  get answered(): Promise<void> {
    return this.#answered.promise
  }

  /** How the connection ends, and all that had arrived by then. */
  async end(): Promise<{ ending: Ending; text: string }> {
    return { ending: await this.#ended.promise, text: this.#text }
  }

  /** Goes away without waiting any longer. */
  leave(): void {
    this.#socket.destroy()
  }

  /** Goes away as one that crashes: with a reset. */
  reset(): void {
    this.#socket.resetAndDestroy()
  }
}

/** A right create call on a bare socket. */
export function rawCreate(emulator: TestEmulator, client: TestClient, requestId: string): RawCall {
  const body = JSON.stringify(client.checkout(requestId))
  const head = [
    `POST ${paths.checkout} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `access-token: ${client.accessToken}`,
    `signature: ${sign(client.apiSecret, `fiatAmount=10.00&requestId=${requestId}`)}`,
  ]
  return new RawCall(emulator, `${head.join('\r\n')}\r\n\r\n${body}`)
}

/** A right fiat lookup on a bare socket. */
export function rawLookup(emulator: TestEmulator, client: TestClient, requestId: string): RawCall {
  const query = new URLSearchParams({ requestId, clientId: client.clientId })
  const head = [
    `GET ${paths.fiat}?${query} HTTP/1.1`,
    'host: 127.0.0.1',
    `access-token: ${client.accessToken}`,
  ]
  return new RawCall(emulator, `${head.join('\r\n')}\r\n\r\n`)
}

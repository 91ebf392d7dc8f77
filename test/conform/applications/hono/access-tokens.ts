import { z } from 'zod'
import { type Http, NoClearAnswer } from './http.ts'
import type { Settings } from './settings.ts'

const issued = z.looseObject({ accessToken: z.string() })
const shortestPauseMs = 500
const longestPauseMs = 4000

/** The access token, got when it is needed and once for all who need it. If new tokens are refused as well, whoever
 *  finds out first, nothing is asked for a while: half a second at first, then twice as long each time. */
export class AccessTokens {
  readonly #http: Http
  readonly #settings: Settings
  #token: string | null
  /** Whether the service has accepted the token; that which was given is taken for good. */
  #proven = true
  #pending: Promise<string> | null = null
  #refusedInARow = 0
  #notBefore = 0

  constructor(http: Http, settings: Settings) {
    this.#http = http
    this.#settings = settings
    this.#token = settings.accessToken
  }

  /** @throws NoClearAnswer if there is no token to be had now */
  async current(): Promise<string> {
    if (this.#token !== null) return this.#token
    if (Date.now() < this.#notBefore) throw new NoClearAnswer('Access tokens are refused at the moment')
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  /** Another token than the one that was refused. */
  async instead(refused: string): Promise<string> {
    if (this.#token === refused) {
      this.#token = null
      if (!this.#proven) this.#pause()
    }
    return this.current()
  }

  /** A token that was new has been refused too. */
  givesUp(refused: string): void {
    if (this.#token !== refused) return
    this.#token = null
    this.#pause()
  }

  /** A token was accepted. */
  works(): void {
    this.#proven = true
    this.#refusedInARow = 0
  }

  async #fetch(): Promise<string> {
    const { baseUrl, clientId, apiSecret } = this.#settings
    const url = `${baseUrl}/_emulator/access-token`
    const answer = await this.#http.send({ method: 'POST', url, body: { clientId, apiSecret } })
    const read = issued.safeParse(answer.body)
    if (!read.success) {
      this.#pause()
      throw new NoClearAnswer(`No access token was given: status ${answer.status}`)
    }
    this.#token = read.data.accessToken
    this.#proven = false
    return this.#token
  }

  #pause(): void {
    this.#notBefore = Date.now() + Math.min(longestPauseMs, shortestPauseMs * 2 ** this.#refusedInARow)
    this.#refusedInARow += 1
  }
}

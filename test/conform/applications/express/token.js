import { Unclear } from './transport.js'

/** Keeps the access token and gets another when it is refused: one call for all who wait for it, and after a new one
 *  was refused too, whoever finds out first, none for a while, which doubles from half a second to four. */
export function createToken(send, { baseUrl, clientId, apiSecret, accessToken }) {
  let token = accessToken
  /** Whether it was accepted; that which was given is taken for good. */
  let proven = true
  let pending = null
  let failures = 0
  let notBefore = 0

  async function fetchToken() {
    const url = `${baseUrl}/_emulator/access-token`
    const { status, body } = await send('POST', url, { body: { clientId, apiSecret } })
    if (typeof body?.accessToken !== 'string') {
      pause()
      throw new Unclear(`no access token: ${status}`)
    }
    token = body.accessToken
    proven = false
    return token
  }

  function pause() {
    notBefore = Date.now() + Math.min(500 * 2 ** failures, 4000)
    failures += 1
  }

  async function current() {
    if (token !== null) return token
    if (Date.now() < notBefore) throw new Unclear('no token for now', notBefore - Date.now())
    pending ??= fetchToken().finally(() => {
      pending = null
    })
    return pending
  }

  return {
    current,

    /** Another one than that which was refused; the one that somebody else has got meanwhile, if so. */
    async replace(refused) {
      if (token === refused) {
        token = null
        if (!proven) pause()
      }
      return current()
    },

    /** A new one was refused. */
    giveUp(refused) {
      if (token !== refused) return
      token = null
      pause()
    },

    works() {
      proven = true
      failures = 0
    },
  }
}

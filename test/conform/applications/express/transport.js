/** The service did not answer, or not with something to go by. Ask again, after `retryAfterMs` at the earliest. */
export class Unclear extends Error {
  name = 'Unclear'

  constructor(message, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Makes calls with a time limit, and none while the service wants none. */
export function createTransport(timeoutMs) {
  let notBefore = 0

  /** @returns `{status, body}`; the body is undefined if it was no JSON. @throws Unclear */
  return async function send(method, url, { headers, body } = {}) {
    const waitMs = notBefore - Date.now()
    if (waitMs > 0) throw new Unclear(`no call for ${waitMs} ms`, waitMs)
    const { status, retryAfter, text } = await exchange(url, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (status === 429) {
      const pauseMs = millisecondsOf(retryAfter)
      notBefore = Date.now() + pauseMs
      throw new Unclear(`${method} ${url}: 429`, pauseMs)
    }
    if (status >= 500) throw new Unclear(`${method} ${url}: ${status}`)
    return { status, body: parsed(text) }
  }
}

async function exchange(url, request) {
  try {
    const response = await fetch(url, request)
    const text = await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
  } catch (error) {
    throw new Unclear(`${request.method} ${url}: ${error.cause?.message ?? error.message}`)
  }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Retry-After: seconds or a date; a second if it says neither. */
function millisecondsOf(retryAfter) {
  const ms = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return ms > 0 ? ms : 1000
}

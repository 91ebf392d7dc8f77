/** The parts of a request's URL. Cut out of its text: the host comes from a header, and not every host is one that
 *  `URL` takes. */
export interface UrlParts {
  /** `http://127.0.0.1:4600` */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly query: URLSearchParams
}

export function urlParts(url: string): UrlParts {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const path = start === -1 ? '/' : url.slice(start)
  const mark = path.indexOf('?')
  const query = new URLSearchParams(mark === -1 ? '' : path.slice(mark + 1))
  return { origin: start === -1 ? url : url.slice(0, start), path, query }
}

/** The parts of a request's URL. Cut out of its text: the host comes from a header, and not every host is one that
 *  `URL` takes. */
export interface UrlParts {
  /** `http://127.0.0.1:4600` */
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

export function urlParts(url: string): UrlParts {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, start), path: url.slice(start) }
}

/** The query of a URL or path as it stands there, without its mark. */
export function queryTextOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? '' : url.slice(mark + 1)
}

/** The query of a URL or path. */
export const queryOf = (url: string): URLSearchParams => new URLSearchParams(queryTextOf(url))

import { type Context, Hono } from 'hono'
import { healthNow } from './health-now.ts'
import type { ControlParts } from './parts.ts'
import { refused } from './refused.ts'
import { secured } from './secured.ts'

/** The control API for a start that is not to wait for it: `/health` is there at once, the rest, and what checks a query,
 *  when it is first asked for. */
export class LateControl {
  readonly #parts: ControlParts
  /** What there is of it by now. */
  #app: Hono
  #loading: Promise<Hono> | undefined

  constructor(parts: ControlParts) {
    this.#parts = parts
    const first = new Hono()
    first.onError((error) => refused(error, parts))
    // Before the others, because reading the headers of an answer loads more of Node than a start needs.
    first.get('/health', (c, next) => (c.req.url.includes('?') ? next() : healthNow(parts)))
    first.use(secured)
    first.all('*', this.#afterLoading)
    this.#app = mounted(first)
  }

  /** Answers what comes in below `/_emulator`. */
  readonly answer = (c: Context): Response | Promise<Response> => this.#app.fetch(c.req.raw, c.env)

  /** Loads the rest, once. */
  load(): Promise<Hono> {
    this.#loading ??= import('./control.ts').then(({ createControl }) => {
      this.#app = mounted(createControl(this.#parts))
      return this.#app
    })
    return this.#loading
  }

  readonly #afterLoading = async (c: Context): Promise<Response> => {
    const app = await this.load()
    return app.fetch(c.req.raw, c.env)
  }
}

const mounted = (app: Hono): Hono => new Hono().route('/_emulator', app)

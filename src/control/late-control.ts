import { type Context, Hono } from 'hono'
import { addCalls } from './control-call.ts'
import { healthCalls } from './health.ts'
import type { ControlParts } from './parts.ts'
import { refused } from './refused.ts'
import { secured } from './secured.ts'

/** The control API for a start that is not to wait for it: `/health` is there at once, the rest when it is first asked
 *  for. */
export class LateControl {
  readonly #parts: ControlParts
  readonly #onLoaded: () => void
  #app: Hono
  #loading: Promise<Hono> | undefined

  /** @param onLoaded told when `app` is another one: the whole, without a detour */
  constructor(parts: ControlParts, onLoaded: () => void) {
    this.#parts = parts
    this.#onLoaded = onLoaded
    this.#app = new Hono()
    this.#app.onError((error) => refused(error, parts))
    this.#app.use(secured)
    addCalls(this.#app, healthCalls, parts)
    this.#app.all('*', this.#afterLoading)
  }

  /** What there is of it by now, to be mounted at `/_emulator`. */
  get app(): Hono {
    return this.#app
  }

  /** Loads the rest, once. */
  load(): Promise<Hono> {
    this.#loading ??= import('./control.ts').then(({ createControl }) => {
      this.#app = createControl(this.#parts)
      this.#onLoaded()
      return new Hono().route('/_emulator', this.#app)
    })
    return this.#loading
  }

  readonly #afterLoading = async (c: Context): Promise<Response> => {
    const whole = await this.load()
    return whole.request(c.req.raw, undefined, c.env)
  }
}

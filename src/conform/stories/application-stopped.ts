/** Thrown if the application cannot go on: it has died, or creates no more orders. */
export class ApplicationStopped extends Error {
  override readonly name = 'ApplicationStopped'
  /** Whether the stories that were to be played have not even begun. */
  readonly isBefore: boolean

  constructor(message: string, isBefore = false) {
    super(message)
    this.isBefore = isBefore
  }
}

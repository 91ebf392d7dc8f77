import type { Store } from '../store.ts'

/** Verbs that a start can do without. To make them, with the SQL of their statements, takes a twentieth of a start, so that
 *  is done when the first of a topic is called, or once there is time. */
export class LateVerbs {
  readonly #store: () => object
  readonly #topics: (() => object)[] = []

  /** @param store what the verbs are members of; they are called past us from then on */
  constructor(store: () => object) {
    this.#store = store
  }

  /** The verbs of a topic, by name; `make` makes them. */
  of<Name extends keyof Store>(names: readonly Name[], make: () => Pick<Store, Name>): Pick<Store, Name>
  of(names: readonly string[], make: () => object): object {
    let made: object | undefined
    const topic = () => {
      if (made !== undefined) return made
      made = make()
      const store = this.#store()
      // A test may have put something else in the place of one.
      for (const [name, standIn] of Object.entries(standIns))
        if (Reflect.get(store, name) === standIn) Reflect.set(store, name, Reflect.get(made, name))
      return made
    }
    const standIns = Object.fromEntries(
      names.map((name) => [name, (...args: unknown[]) => Reflect.get(topic(), name)(...args)]),
    )
    this.#topics.push(topic)
    return standIns
  }

  /** Makes those that no call has made yet. */
  makeAll(): void {
    for (const topic of this.#topics) topic()
  }
}

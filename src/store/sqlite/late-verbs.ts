import type { Store } from '../store.ts'

/** Verbs that a start can do without. To prepare their statements takes a tenth of a start, so that is done when the
 *  first of a topic is called, or once there is time. */
export class LateVerbs {
  readonly #topics: (() => object)[] = []

  /** The verbs of a topic, by name; `make` makes them. */
  of<Name extends keyof Store>(names: readonly Name[], make: () => Pick<Store, Name>): Pick<Store, Name>
  of(names: readonly string[], make: () => object): object {
    let made: object | undefined
    const topic = () => {
      made ??= make()
      return made
    }
    this.#topics.push(topic)
    return Object.fromEntries(names.map((name) => [name, lateVerb(topic, name)]))
  }

  /** Makes those that no call has made yet. */
  makeAll(): void {
    for (const topic of this.#topics) topic()
  }
}

function lateVerb(topic: () => object, name: string): (...args: unknown[]) => unknown {
  let verb: ((...args: unknown[]) => unknown) | undefined
  return (...args) => {
    verb ??= Reflect.get(topic(), name)
    return verb?.(...args)
  }
}

import Sqlite from 'better-sqlite3'

/** Makes a call, with other arguments if some are given. */
type Call = (args?: readonly unknown[]) => unknown

/** Puts `act` around a method, also one of a native class. It is `act` that makes the call. */
export function context(
  target: object,
  name: string,
  act: (call: Call, self: unknown, args: readonly unknown[]) => unknown,
): void {
  const original: unknown = Reflect.get(target, name)
  if (typeof original !== 'function') throw new Error(`there is no ${name} to go around`)
  Reflect.set(target, name, function wrapped(this: unknown, ...args: unknown[]) {
    return act((others = args) => Reflect.apply(original, this, others), this, args)
  })
}

/** The prototype of all prepared statements of this process. */
export function statementPrototype(): object {
  const sqlite = new Sqlite(':memory:')
  const prototype: object = Object.getPrototypeOf(sqlite.prepare('select 1'))
  sqlite.close()
  return prototype
}

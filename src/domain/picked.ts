/** Some members of an object, in the order of their names. */
export function picked<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name>
export function picked(from: object, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(from, name)]))
}

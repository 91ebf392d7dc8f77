/** Headers by name, in lower case; one that came several times has its values joined.
 *  @param list names and values in turn, as Node gives them */
export function joinedHeaders(list: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (let index = 0; index < list.length; index += 2) {
    const name = (list[index] ?? '').toLowerCase()
    const before = headers.get(name)
    const value = list[index + 1] ?? ''
    headers.set(name, before === undefined ? value : `${before}${name === 'cookie' ? '; ' : ', '}${value}`)
  }
  return headers
}

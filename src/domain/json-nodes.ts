import { Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { endOfString } from './json-text.ts'

/** The nodes of a JSON text and their places, as a YAML parser makes them.
 *  @param text valid JSON */
export function jsonNodes(text: string): Scalar | YAMLMap | YAMLSeq {
  let at = 0

  function node(): Scalar | YAMLMap | YAMLSeq {
    skip()
    const start = at
    const made = text[at] === '{' ? mapping() : text[at] === '[' ? list() : scalar()
    made.range = [start, at, at]
    return made
  }

  function mapping(): YAMLMap {
    const map = new YAMLMap()
    for (at += 1; !ends('}'); ) map.items.push(new Pair(node(), node()))
    return map
  }

  function list(): YAMLSeq {
    const seq = new YAMLSeq()
    for (at += 1; !ends(']'); ) seq.items.push(node())
    return seq
  }

  function scalar(): Scalar {
    const start = at
    if (text[at] === '"') at = endOfString(text, at) + 1
    else while (at < text.length && !ending.has(text[at])) at += 1
    const source = text.slice(start, at)
    const made = new Scalar<unknown>(JSON.parse(source))
    made.source = source
    return made
  }

  function ends(bracket: string): boolean {
    skip()
    if (text[at] !== bracket) return false
    at += 1
    return true
  }

  function skip(): void {
    while (between.has(text[at])) at += 1
  }

  return node()
}

const between = new Set<string | undefined>([' ', '\t', '\n', '\r', ',', ':'])
const ending = new Set<string | undefined>([...between, '}', ']'])

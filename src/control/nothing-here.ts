import type { Context, Next } from 'hono'
import { EmulatorError } from '../domain/errors.ts'
import { nearest } from '../domain/nearest.ts'
import type { CallWords } from './control-call.ts'

/** What a request gets that is none of the calls. */
export interface NothingHere {
  /** Refuses another method at a fixed path, before a path with a parameter takes its last word for a name: there is no
   *  delivery called "release". @throws method_not_allowed */
  readonly fixedPaths: (c: Context, next: Next) => Promise<void>
  /** @throws method_not_allowed, or not_found with the nearest call */
  readonly refuse: (c: Context) => never
}

interface Place {
  readonly method: string
  readonly path: string
  /** Its path's words, those of parameters in braces. */
  readonly words: readonly string[]
  readonly pattern: RegExp
}

/** Refusals of what the calls do not take. */
export function nothingHere(calls: readonly CallWords[]): NothingHere {
  const places = calls.map(placeOf)
  const fixed = Map.groupBy(
    places.filter(({ path }) => !path.includes('{')),
    ({ path }) => path,
  )
  return {
    fixedPaths: async (c, next) => {
      const here = fixed.get(below(c.req.path)) ?? []
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      if (here.length > 0 && !here.some((place) => place.method === method)) throw wrongMethod(c, here)
      await next()
    },
    refuse: (c) => {
      const here = places.filter(({ pattern }) => pattern.test(below(c.req.path)))
      throw here.length > 0 ? wrongMethod(c, here) : unknownPath(c, places)
    },
  }
}

function placeOf({ method, path }: CallWords): Place {
  const pattern = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
  return { method, path, words: path.split('/').slice(1), pattern: new RegExp(`^${pattern}$`) }
}

const below = (path: string): string => path.replace(/^\/_emulator/, '')

function wrongMethod(c: Context, here: readonly Place[]): EmulatorError {
  const allow = here.map(({ method }) => method).join(', ')
  return new EmulatorError(
    'method_not_allowed',
    { method: c.req.method, path: c.req.path, allowed: allow },
    { allow },
  )
}

function unknownPath(c: Context, places: readonly Place[]): EmulatorError {
  const { path, method } = c.req
  const near = nearestPath(below(path).replace(/\/+$/, ''), places)
  const there = places.filter((place) => place.path === near)
  const call = there.find((place) => place.method === method) ?? there[0]
  const hint = call === undefined ? '' : ` Nearest: ${call.method} /_emulator${call.path}.`
  return new EmulatorError('not_found', {
    message: `The control API has nothing at ${path}.${hint} For all calls, see /_emulator/docs.`,
  })
}

/** The path that was probably meant: one that is spelled nearly so, or else one that ends with the same word. */
function nearestPath(path: string, places: readonly Place[]): string | undefined {
  const asked = path.split('/').slice(1)
  const filled = new Map(places.map((place) => [filledIn(place.words, asked), place.path]))
  const last = new Map(places.toReversed().map((place) => [place.words.at(-1) ?? '', place.path]))
  return (
    filled.get(nearest(path, filled.keys()) ?? '') ?? last.get(nearest(asked.at(-1) ?? '', last.keys()) ?? '')
  )
}

/** A path with what was asked in the place of its parameters, so that these count for nothing. */
const filledIn = (words: readonly string[], asked: readonly string[]): string =>
  words.map((word, index) => `/${word.startsWith('{') ? asked[index] || word : word}`).join('')

import { inspect } from 'node:util'
import { didYouMean } from '../domain/nearest.ts'

/** Which of the options is none, in words, with the one that was probably meant; null if all are. Types say it only to
 *  those who have types. */
export function strayOption(options: unknown, names: readonly string[]): string | null {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return `expected an object of options, not ${inspect(options)}`
  const stray = Object.keys(options).find((name) => !names.includes(name))
  return stray === undefined ? null : `unknown option \`${stray}\`${didYouMean(stray, names)}`
}

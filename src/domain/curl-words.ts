import { shellQuoted } from './shell-quote.ts'

/** A URL for curl, which otherwise would make many of one with brackets, and take dot segments away. */
export const exactUrl = (url: string): string =>
  [
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url) ? ['--path-as-is'] : []),
    shellQuoted(url),
  ].join(' ')

/** A header as an option of curl: one without a value is written otherwise, or it would be taken away. */
export const headerOption = (name: string, value: string): string =>
  `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`

import { fileText, sentText } from '../../src/domain/text/limits.ts'
import { limits } from '../../src/http/node-http.ts'
import { table } from './table.ts'

/** The limits of requests and files. */
export const limitsTable = (): string =>
  table(
    ['Limit', 'Value', 'Beyond it'],
    [
      ['Body', mebibytes(limits.bodyBytes), '413'],
      ['Nesting of JSON', `${limits.jsonLevels} levels`, '400'],
      ['Values in a JSON body', count(limits.jsonValues), '400'],
      ['Tokens in a YAML body (words, marks, line ends)', count(sentText.tokens), '400'],
      [
        'Parts of a fixture in a body (clients, settings, tokens, orders, steps, charges, attempts)',
        count(sentText.parts),
        '400',
      ],
      [
        'File (`--scenarios`, `--fixtures`, `--settings`, `check`)',
        mebibytes(fileText.bytes),
        'refused in one line',
      ],
      ['Tokens in a YAML file', count(fileText.tokens), 'refused in one line'],
      ['Parts of a fixture in a file', count(fileText.parts), 'refused in one line'],
      ['First line and headers together', `${limits.headerBytes / 1024} KiB`, '431'],
      ['Time until the headers are complete', seconds(limits.headersMs), '408'],
      ['Time until the request is complete', seconds(limits.requestMs), '408'],
      ['Idle time of a connection', seconds(limits.keepAliveMs), 'closed'],
      ['Connections at the same time', count(limits.connections), 'closed'],
    ],
  )

const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`
const seconds = (ms: number): string => `${ms / 1000} s`
const count = (value: number): string => value.toLocaleString('en-US')

import { expect, test } from 'vitest'
import { diagnoseBody, diagnoseContentType } from '../../../src/domain/diagnosis/body.ts'
import { isPlaceholder } from '../../../src/domain/diagnosis/mistake.ts'
import { diagnosePath } from '../../../src/domain/diagnosis/path.ts'
import { diagnoseQuery, requestIdSpellings } from '../../../src/domain/diagnosis/query.ts'
import { readings } from '../../../src/domain/diagnosis/signature/readings.ts'
import { diagnoseToken } from '../../../src/domain/diagnosis/token.ts'
import { KnownSecrets } from '../../../src/domain/journal/known-secrets.ts'
import {
  maskedUrl,
  withoutSecretMembers,
  withoutSecretParameters,
} from '../../../src/domain/journal/masking.ts'
import { doubledMembers, holdsMore, nestsDeeper } from '../../../src/domain/text/json-text.ts'
import { problemWithHead } from '../../../src/http/front-door.ts'
import { parserRefusal } from '../../../src/http/parser-refusal.ts'
import { undecodable } from '../../../src/http/request.ts'
import { processorMs } from '../../support/processor-ms.ts'

const size = 64 * 1024
const nobody = { ownerOf: () => null, credential: () => null }

const known = new KnownSecrets()
for (const secret of ['aaaaaaaaaaaa', ' , , , , , x', 'another/"one"', '\\\\\\\\\\n']) known.add(secret, 'C1')

/** Functions that read a text before its sender is known. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'the body': (text) => diagnoseBody({ text, utf8: true, contentType: undefined, problem: '' }),
  'the Content-Type': (text) => diagnoseContentType(text, text),
  'the path': (text) => diagnosePath(`/${text}`, ['/v1/client/orders'], []),
  'the query': (text) =>
    diagnoseQuery({ query: new URLSearchParams(text), wanted: ['requestId', 'clientId'], hasBody: false }),
  'the token': (token) =>
    diagnoseToken({ token, header: () => undefined, query: () => new URLSearchParams(), body: '' }, nobody),
  'the authorization': (text) =>
    diagnoseToken(
      { token: undefined, header: () => text, query: () => new URLSearchParams(), body: '' },
      nobody,
    ),
  'the signature': (text) => [readings(text), readings(text.slice(0, 400))],
  'the requestId': (text) => [requestIdSpellings(text), requestIdSpellings(`${text.slice(0, 999)}\u2603`)],
  'a placeholder': isPlaceholder,
  'the head': (text) => [
    problemWithHead({ httpVersion: '1.1', url: '/', rawHeaders: ['host', text] }),
    problemWithHead({ httpVersion: '1.1', url: `http://${text}`, rawHeaders: ['host', 'localhost'] }),
  ],
  'what is no request': (text) => parserRefusal({ message: text, rawPacket: Buffer.from(text) }),
  'JSON as text': (text) => [nestsDeeper(text, 64), holdsMore(text, 20_000)],
  'members that are there twice': (text) => doubledMembers(JSON.stringify({ [text]: text, a: [text] })),
  'secret parameters': withoutSecretParameters,
  'a form': undecodable,
  'a masked URL': (text) => maskedUrl(`http://a/?${text}`),
  'secret members': withoutSecretMembers,
  'known secrets': (text) => known.mask(text, null),
}

/** Pieces that a regular expression could try in more than one way, over and over. */
const pieces = [
  '" + \\x',
  '"a\\',
  '"',
  '\\',
  '?',
  '?&',
  '?a',
  '&a=',
  '=',
  '[',
  '[1',
  '((((',
  '{,',
  ', ',
  ' ',
  '\t \n',
  '\\n',
  '%20',
  '%0a',
  '/v1',
  '/v1/client',
  '/',
  "'",
  'a',
  'é',
  'token',
  '"token',
  '"token":',
  '"token":"',
  '\\"token\\":\\"',
  "'token':'",
  'token=',
  '?token=',
  '?key=%25252541',
  '%&',
  'token: ',
  '&token',
  '%74oken=',
  '{"token":{',
]

/** As they are, as JSON that is cut off, and with an end that fits nothing; short ones too, as some are not read if
 *  they are long. */
const texts = pieces.flatMap((piece) => {
  const many = piece.repeat(size / piece.length)
  const few = piece.repeat(200 / piece.length)
  return [
    many,
    `{"a":${many}`,
    `${many}x\u2603`,
    `${few}x`,
    `${few}${few})x`,
    `${piece.repeat(499)}${')'.repeat(499)}x`,
  ]
})

test.each(Object.entries(readers))('%s is read at once, whatever it is', (_, read) => {
  for (const text of texts)
    expect(
      fastestMs(() => read(text)),
      text.slice(0, 30),
    ).toBeLessThan(50)
})

function fastestMs(act: () => unknown): number {
  let fastest = Infinity
  for (let round = 0; round < 5 && fastest > 5; round++) fastest = Math.min(fastest, processorMs(act))
  return fastest
}

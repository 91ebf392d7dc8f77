import type { Cause } from '../causes.ts'
import type { Mistake } from '../mistake.ts'
import type { Pair } from './signed-text.ts'

/** Other spellings of an amount like `10.00`, all of the same value. */
export function amountSpellings(amount: string): string[] {
  if (!/^\d{1,40}(\.\d{1,2})?$/.test(amount)) return []
  const [whole = '', fraction = ''] = amount.split('.')
  const bareFraction = fraction.replace(/0+$/, '')
  const bareWhole = whole.replace(/^0+(?=\d)/, '')
  const cents = fraction.padEnd(2, '0')
  const thousands = (separator: string) => bareWhole.replaceAll(/\B(?=(\d{3})+$)/g, separator)
  const spellings = [
    ...[bareFraction, bareFraction.padEnd(1, '0'), cents, `${cents}00`].map((digits) =>
      joined(bareWhole, digits),
    ),
    // A decimal comma instead of a point, and thousands separators.
    `${bareWhole},${cents}`,
    `${thousands(',')}.${cents}`,
    `${thousands('.')},${cents}`,
    ...(bareFraction === '' ? [thousands(','), thousands('.')] : []),
    // The amount in minor units, such as cents.
    `${bareWhole}${cents}`.replace(/^0+(?=\d)/, ''),
    ...scientific(bareWhole, bareFraction),
  ]
  return [...new Set(spellings)].filter((text) => text !== amount && text !== '')
}

const joined = (whole: string, fraction: string) => (fraction === '' ? whole : `${whole}.${fraction}`)

/** Spells an amount in scientific notation: Java's BigDecimal without trailing zeros writes ten as `1E+1`, others
 *  write `1e1` or `1e+1`. */
function scientific(whole: string, bareFraction: string): string[] {
  const mantissa = whole.replace(/0+$/, '')
  const exponent = whole.length - mantissa.length
  if (bareFraction !== '' || exponent === 0 || mantissa === '') return []
  return ['E+', 'e+', 'E', 'e'].map((sign) => `${mantissa}${sign}${exponent}`)
}

/** The fields of a signed text with changed values, and the reason. */
export interface Respelled {
  readonly pairs: readonly Pair[]
  readonly mistake: Mistake
}

/** Yields other spellings of an amount that programs produce. */
export function respelledAmounts(pairs: readonly Pair[]): Respelled[] {
  const amount = pairs.find(([name]) => name === 'fiatAmount')?.[1] ?? ''
  return amountSpellings(amount).map((spelling) => ({
    pairs: pairs.map(([name, value]) => [name, name === 'fiatAmount' ? spelling : value]),
    mistake: {
      cause: 'signature.amount-spelling',
      words: `you signed \`fiatAmount=${spelling}\`, but the body has \`${amount}\``,
    },
  }))
}

/** Changes that programs make to values: each row is applied to all of them. */
const valueRows: readonly (readonly [cause: Cause, words: string, change: (value: string) => string])[] = [
  ['signature.percent-encoded', 'you signed percent-encoded values; sign them unencoded', percentEncoded],
  [
    'signature.percent-encoded',
    'you signed percent-encoded values with lower-case hex; sign them unencoded',
    (value) => percentEncoded(value).replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
  ],
  [
    'signature.form-encoded',
    'you signed form-encoded values, with + for a space; sign them unencoded',
    (value) => new URLSearchParams([['', value]]).toString().slice(1),
  ],
  [
    'signature.percent-encoded',
    'you signed values encoded with `encodeURI`; sign them unencoded',
    (value) => encodeURI(value.toWellFormed()),
  ],
  [
    'signature.percent-encoded',
    'you signed values that are percent-encoded as in RFC 3986; sign them unencoded',
    (value) =>
      percentEncoded(value).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
  ],
  [
    'signature.percent-decoded',
    'you signed percent-decoded values; sign them exactly as in the body',
    percentDecoded,
  ],
  ['signature.unicode-form', 'you signed the values in the Unicode form NFC; the body has another form', nfc],
  [
    'signature.unicode-form',
    'you signed the values in the Unicode form NFD; the body has another form',
    (value) => value.normalize('NFD'),
  ],
  [
    'signature.unicode-form',
    'you signed the values in the Unicode form NFKC; the body has another form',
    (value) => value.normalize('NFKC'),
  ],
  ['signature.json-escaped', 'you signed values with \\u escapes; sign the unescaped text', escaped],
  ['signature.value-quoted', 'you signed the values in quotes; sign them without', (value) => `"${value}"`],
  [
    'signature.value-trimmed',
    'you signed the values without the spaces around them',
    (value) => value.trim(),
  ],
]

/** Changes of requestIds, which most often differ between two places. */
const requestIdRows: typeof valueRows = [
  ['signature.value-case', 'you signed the requestId in lower case', (value) => value.toLowerCase()],
  ['signature.value-case', 'you signed the requestId in upper case', (value) => value.toUpperCase()],
  [
    'signature.value-altered',
    'you signed the requestId without its hyphens',
    (value) => value.replaceAll('-', ''),
  ],
  ['signature.value-missing', 'you signed an empty requestId', () => ''],
  ['signature.value-missing', 'you signed `requestId=undefined`', () => 'undefined'],
  ['signature.value-missing', 'you signed `requestId=null`', () => 'null'],
  ['signature.value-missing', 'you signed `requestId=None`', () => 'None'],
]

/** All values, or the requestId alone, in other encodings. */
export function respelledValues(pairs: readonly Pair[]): Respelled[] {
  const changed = (rows: typeof valueRows, concerns: (name: string) => boolean) =>
    rows.flatMap(([cause, words, change]) => {
      const respelled = pairs.map(([name, value]): Pair => [name, concerns(name) ? change(value) : value])
      const same = respelled.every(([, value], index) => value === pairs[index]?.[1])
      return same ? [] : [{ pairs: respelled, mistake: { cause, words } }]
    })
  return [
    ...changed(valueRows, () => true),
    ...changed(requestIdRows, (name) => name === 'requestId'),
    ...allUndefined(pairs),
  ]
}

function allUndefined(pairs: readonly Pair[]): Respelled[] {
  const words = 'you signed `undefined` for every value: sign after the values are set'
  return [
    {
      pairs: pairs.map(([name]) => [name, 'undefined']),
      mistake: { cause: 'signature.value-missing', words },
    },
  ]
}

/** encodeURIComponent throws on half a surrogate pair. */
function percentEncoded(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function nfc(value: string): string {
  return value.normalize('NFC')
}

/** Escapes a text as Python's `json.dumps` does. */
function escaped(value: string): string {
  return value.replaceAll(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

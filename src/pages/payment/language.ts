import type { EpochMs } from '../../domain/text/time.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { hi } from './words/hi.ts'
import { pt } from './words/pt.ts'
import type { Words } from './words/words.ts'

/** A language of the payment page: its code, texts, and formats of amounts and dates. */
export interface Language {
  /** The language code for `<html lang>` and `Intl`. */
  readonly code: string
  readonly words: Words
}

const spoken: ReadonlyMap<string, Words> = new Map([
  ['en', en],
  ['es', es],
  ['pt', pt],
  ['hi', hi],
])

/** The language of an order's `lang`; English for an unsupported one. */
export function languageOf(lang: string | undefined): Language {
  const words = spoken.get(lang ?? '')
  return lang === undefined || words === undefined ? { code: 'en', words: en } : { code: lang, words }
}

/** An amount with its currency in the format of the language. A `currencyId` begins with the ISO 4217 code of its
 *  currency (`usd_us`) or is shown unchanged. */
export function amountText(amount: string, currencyId: string, { code }: Language): string {
  if (!isNumber(amount)) return `${amount} ${currencyId}`
  const currency = currencyId.slice(0, 3).toUpperCase()
  const isKnown = /^[a-z]{3}(?![a-z])/i.test(currencyId) && currencies.has(currency)
  // Two decimals at most for any currency: the requested amount is never rounded. As text, because no number holds a
  // large amount exactly.
  const maximumFractionDigits = 2
  // A currency without cents has them where an amount does, and then both.
  const cents = /\.\d*[1-9]/.test(amount) ? { minimumFractionDigits: 2 } : {}
  return isKnown
    ? new Intl.NumberFormat(code, { style: 'currency', currency, maximumFractionDigits, ...cents }).format(
        amount,
      )
    : `${new Intl.NumberFormat(code, { maximumFractionDigits, minimumFractionDigits: decimals(amount) }).format(amount)} ${currencyId}`
}

/** A day and time, in UTC like all times of the service; with seconds if it is less than a day away. */
export function momentText(at: EpochMs, now: EpochMs, { code }: Language): string {
  const timeStyle = at - now < dayMs ? 'medium' : 'short'
  const parts = { dateStyle: 'medium', timeStyle, timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(code, parts).format(at)} UTC`
}

export function daysText(days: number, { code }: Language): string {
  return new Intl.NumberFormat(code, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}

export const numberText = (n: number, { code }: Language): string => new Intl.NumberFormat(code).format(n)

const dayMs = 86_400_000

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

const isNumber = (text: string): text is `${number}` => /^\d+(\.\d+)?$/.test(text)

const decimals = (amount: string): number => amount.split('.')[1]?.length ?? 0

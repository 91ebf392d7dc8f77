import type { EpochMs } from '../../domain/text/time.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { hi } from './words/hi.ts'
import { pt } from './words/pt.ts'
import type { Words } from './words/words.ts'

/** A language that the page speaks: its code, its words, and its way of writing amounts and dates. */
export interface Language {
  /** For `<html lang>` and `Intl`. */
  readonly code: string
  readonly words: Words
}

const spoken: ReadonlyMap<string, Words> = new Map([
  ['en', en],
  ['es', es],
  ['pt', pt],
  ['hi', hi],
])

/** The language that an order's `lang` asks for; English for all that the page does not speak. */
export function languageOf(lang: string | undefined): Language {
  const words = spoken.get(lang ?? '')
  return lang === undefined || words === undefined ? { code: 'en', words: en } : { code: lang, words }
}

/** An amount with its currency as people of that language write it. A `currencyId` begins with the ISO 4217 code of
 *  its currency (`usd_us`) or is shown as it is. */
export function amountText(amount: string, currencyId: string, { code }: Language): string {
  if (!isNumber(amount)) return `${amount} ${currencyId}`
  const currency = currencyId.slice(0, 3).toUpperCase()
  const isKnown = /^[a-z]{3}(?![a-z])/i.test(currencyId) && currencies.has(currency)
  // Two decimals at most, whatever the currency: what was asked for is never rounded. Text, because no number holds
  // all of a large amount.
  const maximumFractionDigits = 2
  // A currency without cents has them where an amount does, and then both.
  const cents = /\.\d*[1-9]/.test(amount) ? { minimumFractionDigits: 2 } : {}
  return isKnown
    ? new Intl.NumberFormat(code, { style: 'currency', currency, maximumFractionDigits, ...cents }).format(
        amount,
      )
    : `${new Intl.NumberFormat(code, { maximumFractionDigits, minimumFractionDigits: decimals(amount) }).format(amount)} ${currencyId}`
}

/** A day and time, in UTC like everything the service tells; with seconds if it is less than a day from now. */
export function momentText(at: EpochMs, now: EpochMs, { code }: Language): string {
  const timeStyle = at - now < dayMs ? 'medium' : 'short'
  const parts = { dateStyle: 'medium', timeStyle, timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(code, parts).format(at)} UTC`
}

/** A number of days. */
export function daysText(days: number, { code }: Language): string {
  return new Intl.NumberFormat(code, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}

/** A plain number. */
export const numberText = (n: number, { code }: Language): string => new Intl.NumberFormat(code).format(n)

const dayMs = 86_400_000

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

const isNumber = (text: string): text is `${number}` => /^\d+(\.\d+)?$/.test(text)

const decimals = (amount: string): number => amount.split('.')[1]?.length ?? 0

import { settingNames } from '../domain/choices/settings.ts'
import { callWords } from '../domain/journal/call-words.ts'
import { KnownSecrets } from '../domain/journal/known-secrets.ts'
import { masked, maskedUrl } from '../domain/journal/masking.ts'
import { orderStatuses, paymentStatuses, refundStatuses } from '../domain/order/statuses.ts'
import { scenarioText } from '../domain/scenario/scenario-text.ts'
import { stepText } from '../domain/scenario/step-text.ts'
import type { Evidence } from './evidence/evidence.ts'
import { type Found, KnownTexts, shortestText } from './masking/occurrences.ts'
import {
  isCardNumber,
  isIban,
  type PersonalKind,
  personalKind,
  replaced,
  replacement,
} from './masking/personal.ts'
import { secretName, secretsOf, textsOf } from './masking/traffic-texts.ts'

/** Replaces people and secrets in everything that is kept or shown, the same way everywhere: one address is the same
 *  `person-1@example.com` through a whole run. Secrets are shortened as in the request log.
 *
 *  Personal values are known by their fields in the traffic, and by patterns. Syntax that the text is part of is not
 *  known: mask values before they are written into a file. */
export class Masker {
  readonly #secrets = new KnownSecrets()
  readonly #texts = new KnownTexts()
  readonly #replacements = new Map<string, string>()
  readonly #counts = new Map<PersonalKind, number>()
  readonly #words: ReadonlySet<string>
  /** Replacements that a capture has already, because it was masked before. */
  readonly #taken: ReadonlySet<string>

  constructor(evidence: Evidence) {
    const { calls, orders, webhooks, clientIds } = evidence
    const ids = [...clientIds, ...orders.flatMap(({ requestId, orderIds }) => [requestId, ...orderIds])]
    this.#words = new Set([...vocabulary, ...ids, ...calls.map(({ operation }) => operation)])
    for (const secret of secretsOf(evidence)) if (!this.#words.has(secret)) this.#addSecret(secret)
    const texts = [...textsOf(evidence)]
    this.#taken = new Set(texts.map(({ value }) => value).filter((value) => replaced.test(value)))
    for (const { name, parent, value, isText } of texts) {
      const kind = personalKind(name, parent, value)
      if (kind !== null) this.#add(kind, value)
      else if (isText && secretName.test(name) && !this.#words.has(value)) this.#addSecret(value)
    }
    for (const { jwt } of webhooks) if (jwt !== null) this.#addSecret(jwt.text)
  }

  /** Masks people and secrets in a text. */
  mask(text: string): string {
    const withoutUrls = text.replaceAll(url, maskedUrl)
    const withoutTokens = this.#secrets.mask(withoutUrls, null).replaceAll(tokens, masked)
    return this.#texts.replace(withoutTokens, (reading) => this.#patternsIn(reading))
  }

  /** Masks a JSON value: personal and secret fields as a whole, and all other texts and names by what they contain. */
  maskJson(value: unknown): unknown {
    return this.#maskField('', '', value, 0)
  }

  #maskField(name: string, parent: string, value: unknown, depth: number): unknown {
    if (depth > deepest) return null
    if (typeof value === 'string') return this.#maskText(name, parent, value)
    if (typeof value === 'number' && personalKind(name, parent, String(value)) !== null)
      return this.#maskText(name, parent, String(value))
    if (Array.isArray(value)) return value.map((each) => this.#maskField(name, parent, each, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([each, field]) => [
        this.mask(each),
        this.#maskField(each, name, field, depth + 1),
      ]),
    )
  }

  #maskText(name: string, parent: string, value: string): string {
    if (value === '') return value
    const kind = personalKind(name, parent, value)
    if (kind !== null) return this.#add(kind, value)
    return secretName.test(name) && !this.#words.has(value) ? masked(value) : this.mask(value)
  }

  #addSecret(secret: string): void {
    // An owner each: the list of an owner's secrets is copied with each of them.
    this.#secrets.add(secret, secret)
  }

  /** The replacement of a personal value, from now on wherever the same text occurs. */
  #add(kind: PersonalKind, value: string): string {
    const key = kind === 'email' ? value.toLowerCase() : kind === 'iban' ? value.replaceAll(' ', '') : value
    const before = this.#replacements.get(key)
    if (before !== undefined) return before
    if (value.trim() === '' || replaced.test(value)) return value
    const n = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, n)
    const by = replacement(kind, n, value)
    if (this.#taken.has(by)) return this.#add(kind, value)
    this.#replacements.set(key, by)
    const isTooShort = value.length < (longKinds.has(kind) ? 5 : shortestText)
    if (!isTooShort && !this.#words.has(value)) this.#texts.add({ text: value, by })
    return by
  }

  #patternsIn(text: string): Found[] {
    const all: Found[] = []
    const take = (pattern: RegExp, kind: PersonalKind, isMeant: (found: string) => boolean) => {
      for (const { 0: found, index } of text.matchAll(pattern))
        if (isMeant(found) && !replaced.test(found))
          all.push({ start: index, end: index + found.length, by: this.#add(kind, found) })
    }
    if (text.includes('@')) take(email, 'email', () => true)
    if (text.includes('+')) take(phone, 'phone', () => true)
    take(iban, 'iban', isIban)
    take(card, 'account', (found) => isCardNumber(found) && !this.#words.has(found))
    return all
  }
}

/** Deeper JSON is left out. */
const deepest = 200

/** Kinds whose short values are numbers that occur by chance. */
const longKinds: ReadonlySet<PersonalKind> = new Set(['document', 'account', 'postalCode', 'place', 'street'])

const url = /\bhttps?:\/\/[^\s"'<>\\]{1,4000}/g
/** A JWT, a bearer token, a webhook secret. */
const tokens =
  /\beyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*|(?<=\b(?:Bearer|Basic) )[\w+/=.~-]{8,}|\bwhsec_[\w+/=-]{8,}/g
const email = /[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu
const phone = /(?<![\w+])\+[1-9]\d{6,14}(?!\d)/g
const iban = /(?<![A-Za-z\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}(?![A-Za-z\d])/g
/** Digits in one run, or in groups as on a card. */
const card = /(?<![\w.+-])\d{4}(?:\d{9,12}|[ -]\d{4}[ -]\d{4}[ -]\d{4}|[ -]\d{6}[ -]\d{4,5})(?![\w-]|\.\d)/g

/** Words of files and answers. A person of such a name is masked in its fields only. */
const vocabulary: readonly string[] = [
  ...settingNames.flatMap((name) => [name, ...name.split('.')]),
  ...Object.keys(scenarioText.shape),
  ...Object.keys(stepText.shape),
  ...[...callWords, ...orderStatuses, ...paymentStatuses, ...refundStatuses],
  ...['true', 'false', 'null', 'none', 'CHECKOUT', 'PAYOUT', 'BUY', 'clients', 'clientId', 'requestId'],
  ...['status', 'fiatAmount', 'currencyId', 'kind', 'created', 'deliveries', 'completed', 'interval'],
]

import { answerField } from '../../domain/choices/answer-field.ts'
import type { Call, Evidence, SeenOrder } from '../evidence/evidence.ts'
import { fieldsOf } from '../evidence/read-call.ts'
import { type Fields, textIn } from './records.ts'

/** An accepted create call with its answer. */
export interface CreateAnswer {
  readonly order: SeenOrder
  readonly call: Call
  readonly request: Fields
  readonly answer: Fields
  readonly token: string
  /** The documented fields of `offerInfoData`, with all others there; null if it has none of the documented ones. */
  readonly offer: Fields | null
}

/** The documented fields of `offerInfoData`. */
export const offerFields: readonly string[] = [
  ...['userAddress', 'clientId', 'selectedPaymentMethod', 'totalFiatAmount'],
  ...['expiryTs', 'currencyId', 'type'],
]

/** The answers to accepted create calls that name their own order. */
export function createAnswers({ orders }: Evidence): CreateAnswer[] {
  return orders.flatMap((order): CreateAnswer[] => {
    const { created, request, answer, requestId } = order
    const token = textIn(answer, 'token')
    if (created === null || token === undefined || answer.requestId !== requestId) return []
    const offer = fieldsOf(answer.offerInfoData)
    const isOffer = offerFields.some((name) => offer[name] !== undefined)
    return [{ order, call: created, request, answer, token, offer: isOffer ? offer : null }]
  })
}

/** The texts in fields that the API specification does not show, by the path that a setting can name. */
export function furtherTexts(answer: Fields, path: readonly string[] = []): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [name, value] of Object.entries(answer)) {
    const here = [...path, name]
    if (typeof value === 'string') {
      const dotted = here.join('.')
      if (!name.includes('.') && answerField.safeParse(dotted).success) texts.set(dotted, value)
    } else if (here.length < 4)
      for (const [deeper, text] of furtherTexts(fieldsOf(value), here)) texts.set(deeper, text)
  }
  return texts
}

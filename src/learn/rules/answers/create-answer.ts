import { createAnswers } from '../../answers/create-answers.ts'
import { textIn } from '../../answers/records.ts'
import { readValue } from '../../elimination/eliminate.ts'
import type { Evidence } from '../../evidence/evidence.ts'
import type { Rule } from '../rule.ts'

/** The payment method in the answer to a create call that names none (N9), and what a subscription's answer has (N26). */
export const createAnswer: Rule = {
  settings: ['responses.selectedPaymentMethod', 'responses.subscription'],
  learn: (evidence, { claims }) => [
    readValue(
      {
        setting: 'responses.selectedPaymentMethod',
        readings: methodsIn(evidence),
        evidence: (value, count) =>
          `\`selectedPaymentMethod\` is ${value} in ${count} answers to requests without one`,
        decide: 'two create calls without `paymentMethodId`',
      },
      claims,
    ),
    readValue(
      {
        setting: 'responses.subscription',
        readings: subscriptionAnswers(evidence),
        evidence: (value, count) =>
          `${count} answers to subscription create calls ${value === 'compact' ? 'have no' : 'have'} \`offerInfoData\``,
        decide: 'two create calls for a subscription',
      },
      claims,
    ),
  ],
}

function methodsIn(evidence: Evidence) {
  return createAnswers(evidence).flatMap(({ order, call, request, offer }) => {
    // An empty text stands for an absent one (N31); anything else is a method.
    if (request.paymentMethodId !== undefined && request.paymentMethodId !== '') return []
    const value = offer === null ? undefined : textIn(offer, 'selectedPaymentMethod')
    if (value === undefined) return []
    const words = `\`selectedPaymentMethod\` is ${value} without a \`paymentMethodId\``
    return [{ source: call.source, unit: order.requestId, words, value }]
  })
}

function subscriptionAnswers(evidence: Evidence) {
  return createAnswers(evidence)
    .filter(({ order }) => order.isSubscription)
    .map(({ order, call, offer }) => ({
      source: call.source,
      unit: order.requestId,
      words: `the answer has ${offer === null ? 'no' : 'an'} \`offerInfoData\``,
      value: offer === null ? 'compact' : 'like-checkout',
    }))
}

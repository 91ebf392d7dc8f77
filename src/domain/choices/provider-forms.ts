import * as z from 'zod'
import { feeSchema } from '../order/amounts.ts'
import { idPlaceholderWords, orderIdForm, tokenForm } from '../order/id-forms.ts'
import { answerField } from './answer-field.ts'
import { type Choice, oneOf, pagePath, setting } from './choice.ts'

const shownText = z.string().min(1).max(100)

/** Assumptions about the forms of ids and values, which each provider chooses for itself. */
export const providerFormChoices = [
  {
    n: 'N83',
    open: 'Ids in a form of your provider.',
    choice:
      'None: all are UUIDs (N58). A form such as `PO-${createdAt:yyyymmdd}-${digits:6}` gives others. Its random parts ' +
      'follow from the seed, like everything else; an id that is taken is drawn again. An `orderId` needs at least a million ' +
      'values in its random parts, the `refundId` of `orders.refundIds` too, a `token` 122 random bits, because it opens a payment page.',
    reason: "With digits that are drawn, not counted, a test's ids do not depend on other tests.",
    settings: {
      'orders.ids': setting(orderIdForm.nullable(), null, {
        allowed: `nothing, or a text with ${idPlaceholderWords}`,
      }),
      'orders.refundIds': setting(orderIdForm.nullable(), null, {
        allowed: `nothing, or a text with ${idPlaceholderWords}`,
      }),
      'orders.tokens': setting(tokenForm.nullable(), null, {
        allowed: `nothing, or a text with ${idPlaceholderWords}`,
      }),
    },
  },
  {
    n: 'N84',
    open: 'Values and forms of answers that each provider chooses for itself.',
    choice:
      'As N8, N9, N10 and N64f say. `responses.*` set the value of `partner`, and of `selectedPaymentMethod` without a ' +
      '`paymentMethodId`. `amounts.echo: two-decimals` shows `10` as `10.00` in all answers. `amounts.fee` adds a percentage, ' +
      'a fixed amount or both to `totalFiatAmount`, rounded half up to two decimals; with `responses.feeField: offerInfoData.fee` answers also show the fee alone. `paths.paymentPage: /checkout` also serves ' +
      'the payment page as `/checkout/<token>`, and answers show that path.',
    reason:
      'An application should not depend on these values; with those of your provider you can check that.',
    settings: {
      'responses.partner': setting(shownText, 'sandbox-partner', {
        allowed: 'a text of 1 to 100 characters',
      }),
      'responses.selectedPaymentMethod': setting(shownText, 'ALL', {
        allowed: 'a text of 1 to 100 characters',
      }),
      'amounts.echo': oneOf(['as-sent', 'two-decimals'], 'as-sent'),
      'amounts.fee': setting(feeSchema.nullable(), null, {
        allowed: 'nothing, or `percentage` and `fixed`, such as `{ percentage: "2.9", fixed: "0.30" }`',
      }),
      'responses.feeField': setting(answerField.nullable(), null, {
        allowed: 'nothing, or the name of a JSON field as in `responses.urlField`',
      }),
      'paths.paymentPage': setting(pagePath, '/pay', {
        allowed: 'a path such as `/checkout`',
        scope: 'common',
      }),
    },
  },
] as const satisfies readonly Choice[]

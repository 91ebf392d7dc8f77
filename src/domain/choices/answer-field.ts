import * as z from 'zod'
import { fieldName } from './choice.ts'

const printedFields = ['requestId', 'token', 'status', 'offerInfoData']
const printedOffer = [
  ...['userAddress', 'clientId', 'selectedPaymentMethod', 'totalFiatAmount'],
  ...['expiryTs', 'currencyId', 'type'],
]

/** Schema of the path of a further field in the answer to a create call. It takes no place of a documented field. */
export const answerField = z
  .string()
  .refine((path) => path.split('.').length <= 4, 'must have at most 4 names')
  .refine((path) => path.split('.').every((name) => fieldName.safeParse(name).success), {
    error:
      'expected names of letters, digits, _ and -, each beginning with a letter, with a point between them',
  })
  .refine((path) => !isPrinted(path.split('.')), {
    error: 'the API specification shows another value there (create response, offerInfoData)',
  })

const isPrinted = ([first = '', second]: readonly string[]): boolean => {
  if (first !== 'offerInfoData') return printedFields.includes(first)
  return second === undefined || printedOffer.includes(second)
}

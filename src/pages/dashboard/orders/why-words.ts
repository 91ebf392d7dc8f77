const words: Readonly<Record<string, string>> = {
  next: 'it was planned for the next order',
  default: 'it is the client’s default',
  fixture: 'its fixture sets it',
  'control API': 'the call that created the order named it',
  'e-mail tag': 'the e-mail tag names it',
  amount: 'the amount selects it',
}

/** Why an order follows its scenario.
 *  @param why as the control API says it */
export const whyWords = (why: string): string => `because ${words[why] ?? `${why} names it`}`

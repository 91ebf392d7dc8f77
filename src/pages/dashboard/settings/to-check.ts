/** What to ask the real service before production: where a wrong guess costs most. */
export const toCheck: readonly (readonly [n: string, question: string])[] = [
  ['N19', 'Which string of a checkout is signed: with the currency, or without?'],
  ['N22', 'Under which path is the webhook URL set?'],
  ['N28', 'With what status and body is wrong input answered?'],
  ['N11', 'When does an order expire, and what is told then (N12)?'],
  ['N36', 'What does the body of a webhook look like?'],
  ['N38', 'How can a receiver know that a webhook is genuine?'],
  ['N44', 'How often, and for how long, is a webhook tried again?'],
  ['N45', 'Which answers to a webhook count as accepted, and how fast?'],
  ['N64a', 'Where do access tokens come from, and how long do they hold (N64b)?'],
  ['N55', 'What comes back with the browser, and is it signed?'],
]

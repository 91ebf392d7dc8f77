/** What to ask the real service before production: where a wrong guess costs most. */
export const toCheck: readonly (readonly [n: string, question: string])[] = [
  ['N19', 'Which string is signed for a checkout: with the currency, or without?'],
  ['N22', 'Which path sets the webhook URL?'],
  ['N28', 'Which status and body answer invalid input?'],
  ['N11', 'When does an order expire, and which event is sent then (N12)?'],
  ['N36', 'What does the body of a webhook look like?'],
  ['N38', 'How can a receiver verify that a webhook is genuine?'],
  ['N44', 'How often, and for how long, is a webhook retried?'],
  ['N45', 'Which answers accept a webhook, and how fast must they be?'],
  ['N64a', 'Where do access tokens come from, and how long are they valid (N64b)?'],
  ['N55', 'Which data comes back with the browser, and is it signed?'],
]

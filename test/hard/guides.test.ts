import { globSync } from 'node:fs'
import { test } from 'vitest'
import { followed } from '../docs/following.ts'

/** Followed by `npm test`. */
const first = 'docs/start/first-webhook.md'
/** Their commands have tests of their own. */
const others = ['ci', 'examples', 'tests', 'payment-page', 'dashboard', 'keep', 'match', 'own-signature'].map(
  (name) => `docs/how-to/${name}.md`,
)
const guides = globSync('docs/{start,how-to}/*.md').filter((file) => file !== first && !others.includes(file))

const skill = 'skills/payment-order-emulator/SKILL.md'

test.each(['README.md', skill, ...guides])('%s: whoever follows it sees what it shows', (file) =>
  followed(file),
)

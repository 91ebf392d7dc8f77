import { globSync } from 'node:fs'
import { test } from 'vitest'
import { followed } from '../docs/following.ts'

/** Followed by `npm test`. */
const first = 'docs/guides/first-webhook.md'
const guides = globSync('docs/guides/*.md').filter((file) => file !== first)

test.each(['README.md', ...guides, 'docs/parallel-tests.md', 'docs/other-languages.md'])(
  '%s: whoever follows it sees what it shows',
  (file) => followed(file),
)

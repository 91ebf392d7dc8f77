import { expect, test } from 'vitest'
import { HiddenValues, shownSearch } from '../../src/cli/conform/hidden-values.ts'
import { xmlText } from '../../src/domain/text/markup.ts'
import { foundStory, sampleSearch } from '../conform/support/sample-search.ts'

test('values of environment variables are in no part of a report', () => {
  const value = 'pass<word>&7'
  const hidden = new HiddenValues([{ name: 'TOKEN', value, path: ['probe', 'headers', 'x-token'] }])
  const says = `it said ${value}`
  const found = { ...foundStory, did: says, seen: [says], sequence: `<text>${xmlText(says)}</text>` }
  const report = sampleSearch([found], {
    problems: [{ member: 'probe', message: says }],
    stopped: { why: says, lastStories: [] },
  })
  const shown = JSON.stringify(shownSearch(report, hidden))
  expect(shown).not.toContain('word')
  expect(shown.match(/it said \$\{TOKEN\}/g)).toHaveLength(5)
})

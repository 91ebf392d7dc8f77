import { expect, test } from 'vitest'
import { playStories, type StoryInWords } from '../../../src/conform/index.ts'
import { allStoryBugs, applicationNames } from './support/references.ts'
import { type Chosen, nameOf } from './support/running-application.ts'
import { withApplication } from './support/with-application.ts'

const bugs = allStoryBugs()
/** How often a story is played in a broken application, unless it breaks its promise before. */
const timesAtMost = 5

const played = (chosen: Chosen, stories: readonly StoryInWords[], times: number) =>
  withApplication(chosen, async (emulator, application) => {
    const report = await playStories(emulator, application.config, stories, { times, process: application })
    return { ...report, log: application.log }
  })

// First, because they take longest.
const correct: readonly Chosen[] = applicationNames.map((application) => ({ application }))

test.concurrent.each(correct.map((chosen) => ({ name: nameOf(chosen), chosen })))(
  '$name keeps its promises in the story of each bug',
  async ({ chosen }) => {
    const { ok, stories, log } = await played(
      chosen,
      bugs.map(({ story }) => story),
      1,
    )
    expect(ok, log).toBe(true)
    const others = stories.filter(({ verdict }) => verdict !== 'PASS')
    expect(others.map(({ name, verdict, broken, note }) => ({ name, verdict, broken, note }))).toEqual([])
    expect(stories).toHaveLength(bugs.length)
  },
)

test.concurrent.each(bugs)('$application/stories/$name breaks its promise', async (storyBug) => {
  const { application, story } = storyBug
  const { problems, stories, log } = await played({ application, storyBug }, [story], timesAtMost)
  expect(problems).toEqual([])
  expect(stories, log).toMatchObject([{ verdict: 'FAIL', broken: { promise: story.promise } }])
})

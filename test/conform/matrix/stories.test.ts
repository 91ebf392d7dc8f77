import { expect, test } from 'vitest'
import { playStories, type StoryInWords } from '../../../src/conform/index.ts'
import { allStoryBugs, applicationNames } from './support/references.ts'
import { type Chosen, nameOf } from './support/running-application.ts'
import { withApplication } from './support/with-application.ts'

const bugs = allStoryBugs()
const times = 5

/** Plays stories against an application.
 *  @param changes other waits than those of its configuration */
const played = (chosen: Chosen, stories: readonly StoryInWords[], changes = {}) =>
  withApplication(chosen, async (emulator, application) => {
    const options = { times, process: application }
    const report = await playStories(emulator, { ...application.config, ...changes }, stories, options)
    return { ...report, log: application.log }
  })

/** An application that stops answering is waited for in each call. */
const briefly = { patience: '1s', polling: '1s' }

test.concurrent.each(bugs)('$application/stories/$name breaks its promise', async (storyBug) => {
  const { application, story } = storyBug
  const changes = story.promise === 'keeps-answering' ? briefly : {}
  const { problems, stories, log } = await played({ application, storyBug }, [story], changes)
  expect(problems).toEqual([])
  expect(stories, log).toMatchObject([{ verdict: 'FAIL', broken: { promise: story.promise } }])
})

const correct: readonly Chosen[] = applicationNames.map((application) => ({ application }))

test.concurrent.each(correct.map((chosen) => ({ name: nameOf(chosen), chosen })))(
  '$name keeps its promises in the story of each bug',
  async ({ chosen }) => {
    const { ok, stories, log } = await played(
      chosen,
      bugs.map(({ story }) => story),
    )
    expect(ok, log).toBe(true)
    const others = stories.filter(({ verdict }) => verdict !== 'PASS')
    expect(others.map(({ name, verdict, broken, note }) => ({ name, verdict, broken, note }))).toEqual([])
    expect(stories).toHaveLength(bugs.length)
  },
)

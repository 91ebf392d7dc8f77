import { NotConfigured, stackOf, type Tested } from '../run/conform-tests.ts'
import { type ListedStory, listedStories, type StorySource } from './listed-stories.ts'
import type { StoryOptions, StoryRun } from './play-stories.ts'
import type { StoryResult } from './report/report.ts'
import { storyInText } from './report/terminal-report.ts'

/** One test per story, for vitest, jest and the like. The stories are known before anything runs. The first checked
 *  story prepares the client and checks the configuration. */
export class StoryTests {
  /** In the order of their files. */
  readonly stories: readonly { readonly name: string }[]
  readonly #listed: readonly ListedStory[]
  readonly #tested: Tested | (() => Tested | Promise<Tested>)
  readonly #options: StoryOptions
  #run: Promise<StoryRun> | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param tested as a function if it is only known in `beforeAll`; it is called once
   *  @throws RangeError for a folder that cannot be read, if there are no stories, and if two have the same name */
  constructor(
    tested: Tested | (() => Tested | Promise<Tested>),
    source: StorySource,
    options: StoryOptions = {},
  ) {
    this.#tested = tested
    this.#options = options
    this.#listed = listedStories(source)
    this.stories = this.#listed.map(({ name }) => ({ name }))
  }

  /** Plays a story; stories are played one after the other, even if called in parallel.
   *  @returns the result: `PASS` or `NOT-SEEN` (it cannot be played): skip the test with its `note`
   *  @throws StoryFailed if the application breaks a promise
   *  @throws NotConfigured if the configuration has problems
   *  @throws RangeError for an unknown name, and for a wrong file */
  check(name: string): Promise<StoryResult> {
    const called = new Error()
    const checked = this.#last.then(() => this.#checked(name, called))
    this.#last = checked.catch(() => undefined)
    return checked
  }

  /** Restores the client; its clock stays ahead. */
  async close(): Promise<void> {
    await this.#last
    await (await this.#run?.catch(() => undefined))?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #checked(name: string, called: Error): Promise<StoryResult> {
    const n = this.#listed.findIndex((each) => each.name === name)
    const listed = this.#listed[n]
    if (listed === undefined) throw new RangeError(`there is no story ${JSON.stringify(name)}`)
    const { readListed } = await import('./play-stories.ts')
    const story = await readListed(listed)
    this.#run ??= this.#begin()
    const run = await this.#run
    const problems = await run.open()
    if (problems.length > 0) throw new NotConfigured(problems, called)
    const { onStory, onResult } = this.#options
    onStory?.({ name, n: n + 1, of: this.#listed.length })
    const result = await run.play(story)
    onResult?.(result)
    // They may show up only while a story is played.
    const met = await run.open()
    if (met.length > 0) throw new NotConfigured(met, called)
    if (result.verdict === 'FAIL') throw new StoryFailed(result, called)
    return result
  }

  async #begin(): Promise<StoryRun> {
    const { emulator, config } = typeof this.#tested === 'function' ? await this.#tested() : this.#tested
    const { StoryRun } = await import('./play-stories.ts')
    return new StoryRun(emulator, config, {
      repeatWith: ({ name }) => `run the test of ${name} alone: -t ${JSON.stringify(name)}`,
      ...this.#options,
    })
  }
}

/** The application broke a promise. The message says what it did, in which acts, and what it should do. */
export class StoryFailed extends Error {
  readonly #result: StoryResult

  constructor(result: StoryResult, called: Error) {
    super(storyInText(result))
    this.stack = stackOf(this, called)
    this.#result = result
  }

  override get name(): string {
    return 'StoryFailed'
  }

  /** The full result. A getter, so that test runners print the message instead. */
  get result(): StoryResult {
    return this.#result
  }
}

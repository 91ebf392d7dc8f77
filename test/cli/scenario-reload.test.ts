import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ScenarioNews } from '../../src/domain/scenario/scenario.ts'
import { after } from '../../src/time/timers.ts'
import { aFolder } from '../support/folder.ts'
import { startForTest } from './running.ts'
import { spawnProgram } from './spawned.ts'

const patienceMs = 25_000

const scenario = (id: string, description: string) => `id: ${id}\ndescription: ${description}\ntimeline: []\n`

/** An emulator with added scenarios at `path`, and its log. */
async function startWith(path: string) {
  const told: ScenarioNews[] = []
  let changed = Promise.withResolvers<void>()
  const { url } = await startForTest({ scenarios: [path] }, (event) => {
    if (event.type !== 'scenario') return
    told.push(event.news)
    changed.resolve()
    changed = Promise.withResolvers()
  })
  /** The next news of this kind, which is taken away. */
  const news = async (change: ScenarioNews['change'], id: string): Promise<ScenarioNews> => {
    const late = Promise.withResolvers<never>()
    const cancel = after(patienceMs, () =>
      late.reject(new Error(`no ${change} ${id}: ${JSON.stringify(told)}`)),
    )
    try {
      for (;;) {
        const index = told.findIndex((one) => one.change === change && one.id === id)
        const [found] = index === -1 ? [] : told.splice(index, 1)
        if (found !== undefined) return found
        await Promise.race([changed.promise, late.promise])
      }
    } finally {
      cancel()
    }
  }
  const described = async (id: string) => {
    const answer = await fetch(`${url}/_emulator/scenarios/${id}`)
    const shown: Readonly<Record<string, unknown>> = Object(await answer.json())
    return { status: answer.status, description: shown.description, problems: shown.problems }
  }
  return { news, described, told }
}

test('a file that is new, changed and removed is taken up each time; a built-in one is there again afterwards', async () => {
  const folder = aFolder()
  const { news, described } = await startWith(folder)
  const file = join(folder, 'happy.yaml')
  writeFileSync(file, scenario('happy', 'mine'))
  expect(await news('added', 'happy')).toMatchObject({ file, problems: [] })
  expect((await described('happy')).description).toBe('mine')
  writeFileSync(file, scenario('happy', 'mine too'))
  await news('changed', 'happy')
  expect((await described('happy')).description).toBe('mine too')
  rmSync(file)
  await news('removed', 'happy')
  expect((await described('happy')).description).toBe('Paid after 2 seconds, COMPLETED after 5')
})

test('a broken file keeps its last good version and says where it is broken, until it is right again', async () => {
  const folder = aFolder()
  const file = join(folder, 'mine.yaml')
  writeFileSync(file, scenario('mine', 'good'))
  const { news, described } = await startWith(folder)
  writeFileSync(file, `${scenario('mine', 'bad')}nonsense: 1\n`)
  const { problems } = await news('broken', 'mine')
  expect(problems).toMatchObject([{ file, line: 4, column: 1, message: expect.stringContaining('nonsense') }])
  expect(await described('mine')).toMatchObject({
    description: 'good',
    problems: [expect.stringContaining(`${file}:4:1: unknown key`)],
  })
  writeFileSync(file, scenario('mine', 'better'))
  await news('changed', 'mine')
  expect(await described('mine')).toMatchObject({ description: 'better', problems: [] })
})

test('a new file that is broken is told and not there', async () => {
  const folder = aFolder()
  const { news, described } = await startWith(folder)
  writeFileSync(join(folder, 'mine.yaml'), 'id: mine\n')
  await news('broken', 'mine')
  expect((await described('mine')).status).toBe(404)
})

test('editors that put a new file in the place of the old one are followed', async () => {
  const folder = aFolder()
  const file = join(folder, 'mine.yaml')
  writeFileSync(file, scenario('mine', 'first'))
  const { news, described } = await startWith(file)
  for (const description of ['second', 'third']) {
    writeFileSync(`${file}~`, scenario('mine', description))
    renameSync(`${file}~`, file)
    await news('changed', 'mine')
    expect((await described('mine')).description).toBe(description)
  }
})

test('a folder that is removed and made anew is followed', async () => {
  const folder = join(aFolder(), 'scenarios')
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine.yaml'), scenario('mine', 'first'))
  const { news, described } = await startWith(folder)
  rmSync(folder, { recursive: true })
  await news('removed', 'mine')
  expect((await described('mine')).status).toBe(404)
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine.yaml'), scenario('mine', 'second'))
  await news('added', 'mine')
  writeFileSync(join(folder, 'mine.yaml'), scenario('mine', 'third'))
  await news('changed', 'mine')
  expect((await described('mine')).description).toBe('third')
})

test('a file in a subfolder is followed, and so is a subfolder that comes later', async () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'old'))
  writeFileSync(join(folder, 'old', 'mine.yaml'), scenario('mine', 'first'))
  const { news, described } = await startWith(folder)
  writeFileSync(join(folder, 'old', 'mine.yaml'), scenario('mine', 'second'))
  await news('changed', 'mine')
  expect((await described('mine')).description).toBe('second')
  mkdirSync(join(folder, 'new', 'deeper'), { recursive: true })
  writeFileSync(join(folder, 'new', 'deeper', 'other.yaml'), scenario('other', 'first'))
  await news('added', 'other')
  writeFileSync(join(folder, 'new', 'deeper', 'other.yaml'), scenario('other', 'second'))
  await news('changed', 'other')
  rmSync(join(folder, 'new'), { recursive: true })
  await news('removed', 'other')
})

test('a second file with the same id is broken, and the first stays in use', async () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'mine.yaml'), scenario('mine', 'first'))
  const { news, described } = await startWith(folder)
  writeFileSync(join(folder, 'sub', 'mine.yaml'), scenario('mine', 'second'))
  const { file, problems } = await news('broken', 'mine')
  expect(file).toBe(join(folder, 'sub', 'mine.yaml'))
  expect(problems[0]?.message).toContain(join(folder, 'mine.yaml'))
  expect((await described('mine')).description).toBe('first')
})

test.each(['the folder', 'a file in it'])(
  'a mounted ConfigMap is followed when it is updated, given as %s',
  async (given) => {
    const folder = aFolder()
    const update = (version: string) => {
      mkdirSync(join(folder, `..${version}`))
      writeFileSync(join(folder, `..${version}`, 'mine.yaml'), scenario('mine', version))
      symlinkSync(`..${version}`, join(folder, '..data_tmp'))
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
    }
    update('first')
    symlinkSync('..data/mine.yaml', join(folder, 'mine.yaml'))
    const { news, described } = await startWith(given === 'the folder' ? folder : join(folder, 'mine.yaml'))
    expect((await described('mine')).description).toBe('first')
    for (const [version, before] of [
      ['second', 'first'],
      ['third', 'second'],
    ]) {
      update(`${version}`)
      rmSync(join(folder, `..${before}`), { recursive: true })
      await news('changed', 'mine')
      expect((await described('mine')).description).toBe(version)
    }
  },
)

test('the file that a link leads to is followed', async () => {
  const [folder, elsewhere] = [aFolder(), aFolder()]
  writeFileSync(join(elsewhere, 'real.yaml'), scenario('mine', 'first'))
  symlinkSync(join(elsewhere, 'real.yaml'), join(folder, 'mine.yaml'))
  const { news, described } = await startWith(folder)
  writeFileSync(join(elsewhere, 'real.yaml'), scenario('mine', 'second'))
  await news('changed', 'mine')
  expect((await described('mine')).description).toBe('second')
})

test('the log says with file, line and column what is broken', async () => {
  const folder = aFolder()
  const file = join(folder, 'mine.yaml')
  writeFileSync(file, scenario('mine', 'good'))
  const { wrote } = spawnProgram(['--port', '0', '--scenarios', folder, '--log', 'pretty'])
  await wrote(/Ready\./)
  writeFileSync(file, 'id: mine\n')
  await wrote(/scenario mine has problems/)
  await wrote(/mine\.yaml:1:1: /)
})

test('watching keeps no process alive', async () => {
  const folder = aFolder()
  const code = `
    import { AddedScenarios, ScenarioWatch } from './src/lifecycle/scenarios/added-files.ts'
    const paths = [${JSON.stringify(folder)}]
    new ScenarioWatch(paths, new AddedScenarios(paths), () => {}).start()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a start tells everything that is wrong in all added files', async () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'a.yaml'), 'id: a\n')
  writeFileSync(join(folder, 'b.yaml'), 'id: [')
  const missing = join(folder, 'c.yaml')
  await expect(startForTest({ scenarios: [folder] })).rejects.toThrow(/a\.yaml:1:1: [\s\S]*b\.yaml:1:/)
  await expect(startForTest({ scenarios: [missing] })).rejects.toThrow('c.yaml')
})

test('a folder that cannot be looked into any more is told, and its scenarios are there again with it', async () => {
  const path = join(aFolder(), 'scenarios')
  const good = scenario('mine', 'a')
  mkdirSync(path)
  writeFileSync(join(path, 'mine.yaml'), good)
  const { news, described } = await startWith(path)
  rmSync(path, { recursive: true })
  symlinkSync('scenarios', path)
  await news('removed', 'mine')
  const { problems } = await news('broken', 'scenarios')
  expect(problems[0]?.message).toContain('ELOOP')
  rmSync(path)
  mkdirSync(path)
  writeFileSync(join(path, 'mine.yaml'), good)
  await news('added', 'mine')
  expect(await described('mine')).toMatchObject({ description: 'a' })
})

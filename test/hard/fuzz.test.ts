import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { Answer } from '../support/answer.ts'
import { departure } from '../support/documents.ts'
import type { TestEmulator } from '../support/emulator.ts'
import { startReceiver } from '../support/receiver.ts'
import { report } from './support/figures.ts'
import { Chance } from './support/fuzz/chance.ts'
import { Document } from './support/fuzz/document.ts'
import { Known, ownScenario } from './support/fuzz/known.ts'
import { type FuzzRequest, Requests, waits } from './support/fuzz/requests.ts'
import { changedText } from './support/fuzz/texts.ts'
import { aFolder } from './support/load.ts'
import type { Program } from './support/program.ts'
import { startRemote } from './support/remote.ts'
import { sized } from './support/size.ts'

const many = Number(process.env.FUZZ_REQUESTS ?? sized({ whole: 20_000, part: 4_000 }))
/** Replays a run. */
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 32))
/** Answers that a fault or a clock holds back are not waited for; all others come, be it late on a busy machine. */
const patienceMs = 500
const hangsMs = 30_000
/** Faults and clocks hold back a dozen answers of a run; a world that answers nothing any more, hundreds. */
const mostHeldBack = 200
const tidyEvery = 500
/** A scenario of chance may make a world grow without end, and each snapshot of it take seconds. */
const mostCharactersOfAWorld = 8_000_000
/** Beyond 16 KiB of them, first line and headers are refused with 431. Less what the client adds. */
const mostBytesOfHead = 16_000
/** A program that keeps what it need not keep dies of this. */
const heapMebibytes = 256

test(`${many} requests out of the documents, most of them wrong, break nothing`, async () => {
  process.stdout.write(`fuzz: seed ${seed}\n`)
  const receiver = await startReceiver()
  const { emulator, program } = await startRemote(
    [
      ...['--clock', 'manual', '--start-time', '2026-04-21T16:00:00Z', '--seed', `fuzz-${seed}`],
      ...['--database', join(aFolder(), 'db'), '--webhook-allow', '127.0.0.1'],
    ],
    { nodeArgs: [`--max-old-space-size=${heapMebibytes}`] },
  )
  const scenarios = await peacefulScenarios(emulator)
  const known = new Known(receiver.url, [...scenarios.keys()])
  const chance = new Chance(seed)
  const documents = await documentsOf(emulator)
  const makers = documents.map((document) => ({
    operations: document.operations,
    requests: new Requests(chance, document, known, {
      operations: document.operations,
      bodies: bodiesOf(scenarios),
    }),
  }))
  const run = new Run(program.url, known, emulator)
  const begun = performance.now()
  let half = 0
  for (let n = 0; n < many; n += 1) {
    const maker = chance.pick(makers)
    if (maker !== undefined) await run.send(maker.requests.next())
    if (run.unanswered >= mostHeldBack) break
    if (n % tidyEvery === tidyEvery - 1) await run.tidy()
    if (n === many / 2) half = residentMebibytes(program)
  }
  // Chance may have left out what it seldom draws.
  for (const { operations, requests } of makers)
    for (const operation of operations)
      if (!run.operations.has(operation.name)) await run.send(requests.next(operation))
  const seconds = Math.round((performance.now() - begun) / 1_000)
  const figures = {
    ...run.figures(),
    'memory half-way (MiB)': half,
    'memory at the end (MiB)': residentMebibytes(program),
  }
  report({
    area: 'bad input',
    promise: 'Whatever is sent to whichever call, it is answered as documented, and nothing breaks',
    test: 'test/hard/fuzz.test.ts',
    figures: { requests: many, seed, ...figures, seconds },
  })
  expect(run.wrong, `FUZZ_SEED=${seed} plays it again`).toEqual([])
  expect(figures['memory at the end (MiB)'] - half).toBeLessThan(150)
  // A request may have begun a sweep, whose behaviours would break the life that follows.
  await emulator.control('/sweep', 'DELETE')
  await playALife(emulator, receiver.url)
})

/** A run of requests, one after the other, and what was wrong with the answers. */
class Run {
  readonly wrong: string[] = []
  readonly operations = new Set<string>()
  readonly #pool: Pool
  readonly #known: Known
  readonly #emulator: TestEmulator
  unanswered = 0
  readonly #statuses = new Map<number, number>()

  constructor(url: string, known: Known, emulator: TestEmulator) {
    this.#pool = new Pool(url, { connections: 4 })
    this.#known = known
    this.#emulator = emulator
    onTestFinished(() => this.#pool.destroy())
  }

  figures(): Record<string, number> {
    const counts = [...this.#statuses].toSorted(([a], [b]) => a - b)
    return {
      operations: this.operations.size,
      'not as documented': this.wrong.length,
      ...Object.fromEntries(counts.map(([status, count]) => [`answered ${status}`, count])),
      'held back or cut by a fault': this.unanswered,
    }
  }

  async send(request: FuzzRequest): Promise<void> {
    const { method, path, operation } = request
    this.operations.add(operation.name)
    const answer = await this.#answerTo(request)
    if (answer === null) {
      this.unanswered += 1
      if (!mayBeHeldBack(path)) this.#blame(request, `was not answered within ${hangsMs} ms`)
      else if (this.unanswered === mostHeldBack) this.#blame(request, 'was not answered, like so many others')
      return
    }
    this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1)
    const departs =
      answer.status >= 500 && !isLate(answer) ? `answered ${answer.status}` : departure(method, path, answer)
    if (departs !== null && !(await this.#isFaulty(answer))) this.#blame(request, departs)
    if (answer.status === 431 && charactersOfHead(request) < mostBytesOfHead)
      this.#blame(request, 'was refused for its size, and is small')
    if (answer.headers['x-content-type-options'] !== 'nosniff') this.#blame(request, 'lacks nosniff')
    if (answer.status < 300) await this.#follow(request)
    if (answer.text.length > mostCharactersOfAWorld) await this.#beginAnew()
    else if (/json/.test(String(answer.headers['content-type'])) && method !== 'HEAD' && answer.text !== '')
      this.#known.learn(JSON.parse(answer.text))
  }

  /** Worlds that have ended are of no more use. */
  async #follow({ method, path }: FuzzRequest): Promise<void> {
    const removed = method === 'DELETE' ? /^\/_emulator\/clients\/([^/?]+)/.exec(path)?.[1] : undefined
    if (removed !== undefined) this.#known.forget(decodeURIComponent(removed))
    if (!/^\/_emulator\/(reset|snapshot)/.test(path) || method === 'GET') return
    this.#known.forget()
    await this.tidy()
  }

  async #beginAnew(): Promise<void> {
    await this.#emulator.control('/reset', 'POST', {})
    this.#known.forget()
    await this.tidy()
  }

  /** Takes planned faults away, and sees that there is a client to go on with. */
  async tidy(): Promise<void> {
    for (const [method, path] of [
      ['DELETE', '/_emulator/faults'],
      ['POST', '/_emulator/deliveries/release'],
    ] as const)
      await this.#pool
        .request({ method, path, signal: AbortSignal.timeout(hangsMs) })
        .then(({ body }) => body.dump())
    await this.#emulator
      .addClient({ webhookUrl: this.#known.receiverUrl })
      .then((client) => this.#known.learn({ ...client }))
  }

  #blame({ method, path, body }: FuzzRequest, what: string): void {
    if (this.wrong.length < 20)
      this.wrong.push(`${what.slice(0, 600)} <- ${method} ${path.slice(0, 200)} ${body?.slice(0, 300)}`)
  }

  async #answerTo({ method, path, headers, body }: FuzzRequest): Promise<Answer | null> {
    try {
      const signal = AbortSignal.timeout(mayBeHeldBack(path) ? patienceMs : hangsMs)
      const answer = await this.#pool.request({ method: method as 'GET', path, headers, body, signal })
      const stream = String(answer.headers['content-type']).startsWith('text/event-stream')
      if (stream) answer.body.on('error', () => undefined).destroy()
      return new Answer(answer.statusCode, answer.headers, stream ? '' : await answer.body.text())
    } catch {
      return null
    }
  }

  /** Whether its journal entry says that a fault made it so. */
  async #isFaulty({ headers }: Answer): Promise<boolean> {
    const id = headers['emulator-request-id']
    if (typeof id !== 'string') return false
    const { text } = await this.#emulator.send(`/_emulator/requests/${id}`, { method: 'GET' })
    return text.includes('"fault:')
  }
}

/** Of the first line and the headers of the request that it makes itself; the client adds some dozens. */
const charactersOfHead = ({ method, path, headers }: FuzzRequest): number =>
  [method, path, ...Object.entries(headers).flat()].join('  ').length

/** Faults can be planned for the access token API too. */
const mayBeHeldBack = (path: string) =>
  !path.startsWith('/_emulator') || path.startsWith('/_emulator/access-token') || waits(path)

/** An advance whose time is over says so with 504, as documented. */
const isLate = ({ status, text }: Answer) => status === 504 && text.includes('clock_timed_out')

async function documentsOf(emulator: TestEmulator): Promise<Document[]> {
  const paths = ['/openapi.json', '/openapi-control.json']
  return Promise.all(paths.map(async (path) => new Document((await emulator.control(path)).json)))
}

/** The texts of the scenarios that make the API misbehave in no way, by their ids. */
async function peacefulScenarios(emulator: TestEmulator): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const { id } of (await emulator.control('/scenarios')).items) {
    const { json } = await emulator.control(`/scenarios/${id}`)
    if (!/^(answers|chaos):/m.test(String(json.text))) texts.set(String(id), String(json.text))
  }
  return texts
}

/** Bodies in YAML, which the JSON schemas do not describe. */
function bodiesOf(scenarios: ReadonlyMap<string, string>): ReadonlyMap<string, (chance: Chance) => string> {
  const fixtures = join(import.meta.dirname, '../../fixtures')
  const worlds = readdirSync(fixtures)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => readFileSync(join(fixtures, file), 'utf8'))
  const own = [...scenarios.values()].map((text) => text.replace(/^id:.*$/m, `id: ${ownScenario}`))
  return new Map([
    ['PUT /_emulator/scenarios/{id}', (chance) => changedText(chance.pick(own) ?? '', chance)],
    ['POST /_emulator/fixtures', (chance) => changedText(chance.pick(worlds) ?? '', chance)],
  ])
}

/** The resident memory of the process. */
function residentMebibytes({ child }: Program): number {
  const kibibytes = execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })
  return Math.round(Number(kibibytes) / 1024)
}

/** After a reset everything is as at the start. */
async function playALife(emulator: TestEmulator, webhookUrl: string): Promise<void> {
  await emulator.control('/reset', 'POST', {})
  const client = await emulator.addClient({ webhookUrl })
  expect((await client.createCheckout('after-all')).status).toBe(200)
  await client.advance('1h')
  expect(await client.order('after-all')).toMatchObject({ orderStatus: 'COMPLETED' })
  expect(await client.deliveries()).toMatchObject([
    { orderStatus: 'CREATED', status: 'delivered' },
    { orderStatus: 'COMPLETED', status: 'delivered' },
  ])
  expect(JSON.stringify({})).toBe('{}')
}

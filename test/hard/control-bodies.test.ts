import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { controlCalls } from '../../src/control/control.ts'
import { jsonBodies, yamlBodies } from './support/control-bodies.ts'
import { report } from './support/figures.ts'
import { aFolder } from './support/load.ts'
import { longestTurn, watchingItsLoop } from './support/loop-watch.ts'
import { type Program, startProgram } from './support/program.ts'
import { sized } from './support/size.ts'

const withinMs = 100
/** On a slower or busier machine than the promise is made for, this many times as long will do. */
const patience = 3
const tries = 3
/** A part of the suite sends every fourth, others in other runs. */
const every = sized({ whole: 1, part: 8 })
const first = randomInt(every)
const someOf = <T>(all: readonly T[]) => all.filter((_, n) => n % every === first)

interface BodyRequest {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly type: string
  readonly text: string
}

const yamlRequests = (): BodyRequest[] =>
  yamlBodies().flatMap(({ name, text }) => [
    { name: `PUT scenario, ${name}`, method: 'PUT', path: '/scenarios/x', type: 'application/yaml', text },
    { name: `POST fixture, ${name}`, method: 'POST', path: '/fixtures', type: 'application/yaml', text },
  ])

/** Each body to each call; the snapshot takes back all that was given out, and has limits of its own. */
function jsonRequests(): BodyRequest[] {
  const calls = controlCalls.filter(({ method, path }) => method !== 'GET' && path !== '/snapshot')
  expect(calls.length).toBeGreaterThan(20)
  return jsonBodies().flatMap(({ name, text }) =>
    calls.map(({ method, path }) => ({
      name: `${method} ${path}, ${name}`,
      method,
      path: path.replaceAll(/\{\w+\}/g, 'x'),
      type: 'application/json',
      text,
    })),
  )
}

test.each([
  ['YAML', yamlRequests],
  ['JSON', jsonRequests],
])('no %s that is sent to the control API keeps others waiting', async (kind, requestsOf) => {
  const requests = someOf(requestsOf())
  const proof = join(aFolder(), 'loop')
  const { nodeArgs = [], env = {} } = watchingItsLoop(proof)
  const program = await startProgram([], { nodeArgs: ['--max-old-space-size=256', ...nodeArgs], env })
  // The first requests of a process are slow in any case.
  for (const request of requests.slice(0, 10)) await send(program, request)
  const pings = pinging(program)
  let longest = { turn: 0, ping: 0, name: '' }
  const wrong: string[] = []
  for (const request of requests) {
    let shortest = { turn: 0, ping: Infinity, name: request.name }
    // Others on this machine may have kept it busy once; what a body does, it does again.
    for (let n = 0; n < tries && shortest.ping > withinMs; n++) {
      await longestTurn(program, proof)
      pings.longest()
      wrong.push(...(await wrongWith(program, request)))
      // A ping that began during the request has to return.
      await pings.next()
      const [turn, ping] = [await longestTurn(program, proof), pings.longest()]
      if (ping < shortest.ping) shortest = { ...shortest, turn, ping }
    }
    if (shortest.ping > longest.ping) longest = shortest
  }
  report({
    area: 'bad input',
    promise: `No ${kind} that is sent to the control API keeps others waiting`,
    test: 'test/hard/control-bodies.test.ts',
    figures: {
      bodies: requests.length,
      'not answered as they should be': wrong.length,
      'longest wait of another request (ms)': Number(longest.ping.toFixed(1)),
      'turn of the event loop then (ms)': Number(longest.turn.toFixed(1)),
    },
  })
  expect(wrong).toEqual([])
  expect(longest.ping, longest.name).toBeLessThan(patience * withinMs)
})

test('no body that is sent to the control API needs more than 32 MiB', async () => {
  // Half of it is what the program needs without any body.
  const program = await startProgram([], {
    nodeArgs: ['--max-old-space-size=64', '--max-semi-space-size=4'],
  })
  const wrong: string[] = []
  for (const request of someOf([...yamlRequests(), ...jsonRequests()]))
    wrong.push(...(await wrongWith(program, request)))
  expect(wrong).toEqual([])
  expect((await fetch(`${program.url}/_emulator/health`)).status).toBe(200)
})

/** The problem with an answer: neither success nor a refusal with a message. */
async function wrongWith(program: Program, request: BodyRequest): Promise<string[]> {
  const { status, text } = await send(program, request)
  const isRight = status < 300 || (status < 500 && text.includes('"message":"'))
  return isRight ? [] : [`${request.name}: ${status} ${text.slice(0, 200)}`]
}

async function send({ url }: Program, { method, path, type, text }: BodyRequest) {
  const headers = { 'content-type': type }
  const answer = await fetch(`${url}/_emulator${path}`, { method, headers, body: text })
  return { status: answer.status, text: await answer.text() }
}

/** Asks for something small again and again until the test ends. */
function pinging({ url }: Program) {
  let longest = 0
  let count = 0
  let goesOn = true
  const pings = async () => {
    while (goesOn) {
      const begun = performance.now()
      await (await fetch(`${url}/_emulator/health`)).text()
      longest = Math.max(longest, performance.now() - begun)
      count += 1
      await pause(5)
    }
  }
  const ended = pings().catch((error: unknown) => {
    if (goesOn) throw error
  })
  onTestFinished(() => {
    goesOn = false
    return ended
  })
  return {
    /** The longest that one took since this was asked last, milliseconds. */
    longest: () => {
      const since = longest
      longest = 0
      return since
    },
    /** Waits until another one has come back. */
    next: async () => {
      const before = count
      while (count === before) await pause(2)
    },
  }
}

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { controlCalls } from '../../src/control/control.ts'
import { jsonBodies, yamlBodies } from './support/control-bodies.ts'
import { report } from './support/figures.ts'
import { aFolder } from './support/load.ts'
import { longestTurn, watchingItsLoop } from './support/loop-watch.ts'
import { type Program, startProgram } from './support/program.ts'

const withinMs = 100
/** On a slower or busier machine than the promise is made for, this many times as long will do. */
const patience = 3
/** The program needs half of it without any body. */
const heapMiB = 64

/** What a program has done with bodies. */
interface Outcome {
  readonly sent: number
  /** The answers that are neither 2xx nor 4xx in words. */
  readonly wrong: readonly string[]
  /** Milliseconds, and the body that was on its way. */
  readonly longest: { readonly turn: number; readonly ping: number; readonly name: string }
}

test('no text of YAML keeps others waiting or needs much memory', async () => {
  const requests = yamlBodies().flatMap(({ name, text }) => [
    { name: `PUT scenario, ${name}`, method: 'PUT', path: '/scenarios/x', type: 'application/yaml', text },
    { name: `POST fixture, ${name}`, method: 'POST', path: '/fixtures', type: 'application/yaml', text },
  ])
  judge('No YAML that is sent to the control API keeps others waiting', await outcomeOf(requests))
})

test('no JSON for any call of the control API keeps others waiting or needs much memory', async () => {
  const calls = controlCalls.filter(({ method, path }) => method !== 'GET' && !withoutLimit.includes(path))
  expect(calls.length).toBeGreaterThan(20)
  const requests = jsonBodies().flatMap(({ name, text }) =>
    calls.map(({ method, path }) => ({
      name: `${method} ${path}, ${name}`,
      method,
      path: path.replaceAll(/\{\w+\}/g, 'x'),
      type: 'application/json',
      text,
    })),
  )
  judge('No JSON that is sent to the control API keeps others waiting', await outcomeOf(requests))
})

/** Takes back all that the emulator has given out, and so has limits of its own. */
const withoutLimit: readonly string[] = ['/snapshot']

interface BodyRequest {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly type: string
  readonly text: string
}

async function outcomeOf(requests: readonly BodyRequest[]): Promise<Outcome> {
  const proof = join(aFolder(), 'loop')
  const { nodeArgs = [], env = {} } = watchingItsLoop(proof)
  const heap = [`--max-old-space-size=${heapMiB}`, '--max-semi-space-size=4']
  const program = await startProgram([], { nodeArgs: [...heap, ...nodeArgs], env })
  // The first requests of a process are slow in any case.
  for (const request of requests.slice(0, 10)) await send(program, request)
  const pings = pinging(program)
  let longest = { turn: 0, ping: 0, name: '' }
  const wrong: string[] = []
  for (const request of requests) {
    await longestTurn(program, proof)
    pings.longest()
    const answer = await send(program, request)
    if (!answer.isRight) wrong.push(`${request.name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    // One more ping has to come back for the longest to be known.
    await pings.next()
    const [turn, ping] = [await longestTurn(program, proof), pings.longest()]
    if (Math.max(turn, ping) > Math.max(longest.turn, longest.ping))
      longest = { turn, ping, name: request.name }
  }
  expect(program.child.exitCode).toBeNull()
  return { sent: requests.length, wrong, longest }
}

async function send({ url }: Program, { method, path, type, text }: BodyRequest) {
  const headers = { 'content-type': type }
  const answer = await fetch(`${url}/_emulator${path}`, { method, headers, body: text })
  const body = await answer.text()
  const isRight = answer.status < 300 || (answer.status < 500 && body.includes('"message":"'))
  return { status: answer.status, text: body, isRight: isRight && body.length < mostText }
}

/** A scenario is answered with its text. */
const mostText = 2 * 1024 * 1024

/** Asks for something small again and again until the test ends. */
function pinging({ url }: Program) {
  let longest = 0
  let goesOn = true
  let count = 0
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
    /** The longest that one took since this was asked last. */
    longest: () => {
      const since = longest
      longest = 0
      return since
    },
    next: async () => {
      const before = count
      while (count === before) await pause(2)
    },
  }
}

function judge(promise: string, { sent, wrong, longest }: Outcome): void {
  report({
    area: 'bad input',
    promise,
    test: 'test/hard/control-bodies.test.ts',
    figures: {
      bodies: sent,
      'heap (MiB)': heapMiB,
      'not answered as they should be': wrong.length,
      'longest turn of the event loop (ms)': Number(longest.turn.toFixed(1)),
      'longest wait of another request (ms)': Number(longest.ping.toFixed(1)),
    },
  })
  expect(wrong).toEqual([])
  expect(longest.turn, longest.name).toBeLessThan(patience * withinMs)
  expect(longest.ping, longest.name).toBeLessThan(patience * withinMs)
}

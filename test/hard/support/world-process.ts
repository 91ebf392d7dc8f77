import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Told } from './world/play.ts'

const script = join(import.meta.dirname, 'world/process.ts')

/** A process of its own that plays worlds. */
export interface WorldProcess {
  /** Makes the client of a world. */
  begin(url: string, world: number): Promise<void>
  /** Plays the world that has begun. */
  play(): Promise<Told>
}

/** Starts such a process; it does not outlive the test. */
export function startWorldProcess(): WorldProcess {
  const child = fork(script, [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'json',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    begin: async (url, world) => {
      await asked(child, { url, world })
    },
    play: () => asked(child, 'go'),
  }
}

/** @throws {Error} with what went wrong in the process */
async function asked(child: ChildProcess, order: object | string) {
  const over = new AbortController()
  const { signal } = over
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the process of a world ended with ${code}`)
  })
  ended.catch(() => undefined)
  const answered = once(child, 'message', { signal })
  child.send(order)
  try {
    const [answer] = await Promise.race([answered, ended])
    if ('failed' in answer) throw new Error(answer.failed)
    return answer
  } finally {
    over.abort()
  }
}

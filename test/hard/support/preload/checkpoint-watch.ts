// The thread that kills: see `checkpoint-killer.ts`. It looks all the time. It never closes the files, because that
// would drop the locks that SQLite holds on them in this process (POSIX).
import { existsSync, openSync, readSync } from 'node:fs'
import { progressBytes, progressIn } from '../checkpoint.ts'
import type { CheckpointKiller } from '../killers.ts'

const { file, armedBy }: CheckpointKiller = JSON.parse(process.env.KILLER ?? '')
/** The copying takes about as long; then the file is made safe. */
const lingerMs = Math.random() * 0.15

const nap = new Int32Array(new SharedArrayBuffer(4))
while (!existsSync(armedBy)) Atomics.wait(nap, 0, 0, 1)
const shm = openSync(`${file}-shm`, 'r')
const main = openSync(file, 'r')
const numbers = Buffer.alloc(progressBytes)

for (;;) {
  // Nothing but a checkpoint writes to the database file. The first page goes first, and it changes in each.
  for (const before = firstPage(); firstPage() === before; );
  for (const until = performance.now() + lingerMs; performance.now() < until; );
  if (underWay()) process.kill(process.pid, 'SIGKILL')
}

function firstPage(): string {
  const header = Buffer.alloc(100)
  readSync(main, header, 0, 100, 0)
  return header.toString('latin1')
}

function underWay(): boolean {
  readSync(shm, numbers, 0, progressBytes, 0)
  const { done, wanted } = progressIn(numbers)
  return wanted > done
}

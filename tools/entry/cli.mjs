#!/usr/bin/env node
// What becomes dist/cli.js. It imports the program late, so that a Node too old to link or parse it
// still gets as far as saying so in one line.

import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { bunRefusal, nodeRefusal } from './node-refusal.mjs'

const refusal = nodeRefusal() ?? bunRefusal()
if (refusal === null) {
  if (process.pid === 1) endEarly()
  keepCompiled()
  await import(new URL('main.js', import.meta.url))
} else {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 2
}

/** The first process of a container hears of a signal only if it listens, so it listens before there is a program. */
function endEarly() {
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15 })) {
    process.on(signal, () => {
      // Whoever else listens knows better what to do.
      if (process.listenerCount(signal) === 1) process.exit(128 + number)
    })
  }
}

/** Has Node keep what it compiles, for the next start. V8 believes what it reads there, so nobody else may write to the
 *  folder. Node keeps it where `NODE_COMPILE_CACHE` says, if that is set. */
function keepCompiled() {
  const user = process.getuid?.()
  const folder = join(tmpdir(), `payment-order-emulator-${user ?? 'user'}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    if (user === undefined || (uid === user && (mode & 0o022) === 0)) module.enableCompileCache(folder)
  } catch {
    // Nothing can be written there: this start takes as long as the first.
  }
}

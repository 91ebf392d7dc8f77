#!/usr/bin/env node
// What becomes dist/cli.js. It loads the program late, so that a Node too old to link or parse it
// still gets as far as saying so in one line.

import { bunRefusal, nodeRefusal } from './node-refusal.mjs'

const refusal = nodeRefusal() ?? bunRefusal()
if (refusal === null) {
  if (process.pid === 1) endEarly()
  const [word = ''] = process.argv.slice(2)
  // An import would have Node list all exports of its module first.
  const { createRequire } = process.getBuiltinModule('node:module')
  createRequire(import.meta.url)('./program.cjs').load('cli', { keeps: /^(serve|exec|-.*)?$/.test(word) })
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

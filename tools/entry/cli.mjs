#!/usr/bin/env node
// What becomes dist/cli.js. It loads the program late, so that a Node too old to link or parse it
// still gets as far as saying so in one line.

import module from 'node:module'
import { nodeRefusal } from './node-refusal.mjs'

const refusal = nodeRefusal()
if (refusal === null) {
  // Later starts need not compile again.
  module.enableCompileCache()
  import('../../src/cli/main.ts')
} else {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 2
}

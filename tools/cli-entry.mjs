#!/usr/bin/env node
// What becomes dist/cli.js. It loads the program late, so that a Node too old to link or parse it
// still gets as far as saying so in one line.

import module from 'node:module'
import { engines } from '../package.json'
import { isRecentEnough } from './launch/node-version.mjs'

if (isRecentEnough(process.versions.node, engines.node)) {
  // Later starts need not compile again.
  module.enableCompileCache()
  import('../src/cli/main.ts')
} else {
  const wanted = engines.node.replace('>=', '')
  process.stderr.write(
    `payment-order-emulator needs Node ${wanted} or later, and this is ${process.versions.node}\n`,
  )
  process.exitCode = 2
}

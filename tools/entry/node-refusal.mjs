import process from 'node:process'
import { engines } from '../../package.json'
import { isRecentEnough } from '../launch/node-version.mjs'

/** Why this Node does not do, in one line; `null` if it does. */
export function nodeRefusal() {
  if (isRecentEnough(process.versions.node, engines.node)) return null
  return `payment-order-emulator needs Node ${wanted} or later, and this is ${process.versions.node}`
}

/** Why the program does not run here if this is Bun, in one line; `null` if it is not. Its HTTP server lacks what the
 *  emulator's is built on. */
export function bunRefusal() {
  const { bun } = process.versions
  if (bun === undefined) return null
  return `payment-order-emulator does not run on Bun, and this is Bun ${bun}. Run it with Node ${wanted} or later: without \`--bun\``
}

const wanted = engines.node.replace('>=', '')

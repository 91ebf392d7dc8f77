import { engines } from '../../package.json'
import { isRecentEnough } from '../launch/node-version.mjs'

/** Why this Node does not do, in one line; `null` if it does. */
export function nodeRefusal() {
  if (isRecentEnough(process.versions.node, engines.node)) return null
  const wanted = engines.node.replace('>=', '')
  return `payment-order-emulator needs Node ${wanted} or later, and this is ${process.versions.node}`
}

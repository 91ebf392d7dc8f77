// Loaded before a program (`node --require`): ends it with 99 when it connects to anything but its own machine.
const net = require('node:net')

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function connectHere(...args) {
  // Node hands on what it has sorted out already in an array.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  const { path, host = 'localhost' } = typeof first === 'object' ? first : { host: second }
  if (path === undefined && !/^(localhost|127\..*|::1)$/.test(host)) {
    process.stderr.write(`connects to ${host}\n`)
    process.exit(99)
  }
  return connect.apply(this, args)
}

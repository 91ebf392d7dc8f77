// Stands in for `node:http2` until something of it is used: it takes a third of the time that Node takes to start. What
// our server hands to Hono is never one of its requests.

module.exports = {
  Http2ServerRequest: class {},
  get connect() {
    return process.getBuiltinModule('node:http2').connect
  },
  get constants() {
    return process.getBuiltinModule('node:http2').constants
  },
}

// Stands in for `node:http`. An import of that module asks for all it exports, and for some of it (`WebSocket`) Node loads
// a whole HTTP client: half as long as Node itself takes to start.

module.exports = process.getBuiltinModule('node:http')

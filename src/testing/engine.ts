/** All that `startEmulator` loads late. In one module, because each that is loaded late is a file of the built library
 *  that keeps its name, and cuts the rest into more parts. */
export { readConfig } from '../config.ts'
export { problemWords } from '../domain/problems.ts'
export { createEmulator } from '../emulator.ts'
export { sweepOrderIn } from '../lifecycle/sweep-order.ts'
export { servePortless } from '../portless-server.ts'
export { serveEmulator } from '../server.ts'
export { directTransport } from './direct-transport.ts'
export { FunctionDoors } from './inbox/function-doors.ts'
export { lackingGlobal } from './lacking-global.ts'

/** Everything that `startEmulator` loads late, in one module: each late module is a file of the built library with a
 *  fixed name, and splits the rest into more parts. */
export { readConfig } from '../app/config.ts'
export { createEmulator } from '../app/emulator.ts'
export { serveEmulator, servePortless } from '../app/server.ts'
export { problemWords } from '../domain/text/problems.ts'
export { sweepOrderIn } from '../lifecycle/sweep-behaviours.ts'
export { directTransport } from './direct-transport.ts'
export { lackingGlobal } from './errors.ts'
export { FunctionEndpoints } from './inbox/function-endpoints.ts'

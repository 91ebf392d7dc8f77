/** All that `startEmulator` loads late. In one module, because each that is loaded late is a file of the built library
 *  that keeps its name, and cuts the rest into more parts. */
export { configSchema } from '../config.ts'
export { check, problemWords } from '../domain/problems.ts'
export { createEmulator } from '../emulator.ts'
export { servePortless } from '../portless-server.ts'
export { serveEmulator } from '../server.ts'

/** Loaded late by `http-transport.ts`: it is most of the library's weight. */
export { Agent, Dispatcher1Wrapper, fetch, request } from 'undici'
export { lackingGlobal } from './errors.ts'

/** The HTTP client (undici), loaded late by `http-transport.ts` because it is most of the library's size. */
export { Agent, Dispatcher1Wrapper, fetch, request } from 'undici'
export { lackingGlobal } from './errors.ts'

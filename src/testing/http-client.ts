/** What `way.ts` loads late: it is most of what the library would load otherwise. */
export { Agent, Dispatcher1Wrapper, fetch, request } from 'undici'
export { lackingGlobal } from './errors.ts'

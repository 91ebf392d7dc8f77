/** What `way.ts` loads late: it is most of what the library would load otherwise. */
export { Agent, Dispatcher1Wrapper, request } from 'undici'

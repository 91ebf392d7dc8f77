/** What `http-transport.ts` loads late: it is most of what the library would load otherwise. */
export { Agent, request } from 'undici'

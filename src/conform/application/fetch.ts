export { fetch } from 'undici'

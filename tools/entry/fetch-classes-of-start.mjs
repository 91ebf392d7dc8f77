// Goes into the program's second file in the place of the first one's fetch-classes.mjs: the same classes, whatever comes in
// their place.

export {
  fetch,
  Headers,
  Headers as 'globalThis.Headers',
  Request,
  Request as 'global.Request',
  Response,
  Response as 'global.Response',
} from './fetch-classes.mjs'

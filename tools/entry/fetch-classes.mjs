// Goes into every bundle in the place of the globals of these names, as those of web-classes.mjs do. No module of Node
// exports them, so they are undici's. In a process of our own, @hono/node-server puts lighter ones here.

export const fetchClasses = {
  get Headers() {
    return require('undici/lib/web/fetch/headers.js').Headers
  },
  get Request() {
    return require('undici/lib/web/fetch/request.js').Request
  },
  get Response() {
    return require('undici/lib/web/fetch/response.js').Response
  },
}

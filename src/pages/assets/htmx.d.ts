import type { Htmx } from 'htmx.org'

declare const htmx: Htmx
export default htmx

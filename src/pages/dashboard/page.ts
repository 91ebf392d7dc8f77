import { pageHeaders } from '../page-headers.ts'

/** A page of the dashboard as an answer. */
export const page = (html: string, status = 200): Response =>
  new Response(html, { status, headers: pageHeaders('nowhere') })

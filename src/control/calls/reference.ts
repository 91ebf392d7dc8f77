import * as z from 'zod'
import { urlParts } from '../../http/request.ts'
import { jsonText } from '../answer.ts'
import { controlCall, noBody } from '../control-call.ts'
import { clientQuery } from '../input.ts'

const openApiDocument = z
  .looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) })
  .meta({ id: 'OpenApiDocument' })

const words = { method: 'GET', query: clientQuery, body: noBody } as const

export const referenceCalls = [
  controlCall({
    ...words,
    path: '/openapi.json',
    name: 'getServiceDocument',
    summary: 'Read the OpenAPI document of the service',
    answers: { 200: openApiDocument },
    handle: async (_, { reference }) => jsonText(await reference.service()),
  }),
  controlCall({
    ...words,
    path: '/openapi-control.json',
    name: 'getControlDocument',
    summary: 'Read the OpenAPI document of this API',
    answers: { 200: openApiDocument },
    handle: async (_, { reference }) => jsonText(await reference.control()),
  }),
  controlCall({
    ...words,
    path: '/docs',
    name: 'getReferencePage',
    query: clientQuery.extend({
      q: z.string().max(200).optional().meta({ description: 'Shows only calls that have all these words.' }),
    }),
    summary: 'Show all calls of both APIs on a page',
    description: 'The page needs no network and no script.',
    answers: { 200: z.string() },
    gives: 'text/html',
    handle: async ({ c, query: { q } }, { reference }) =>
      new Response(await reference.page(urlParts(c.req.url).origin, q?.trim()), {
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': ownStyleOnly },
      }),
  }),
  controlCall({
    ...words,
    path: '/docs.css',
    name: 'getReferenceStyle',
    summary: 'Get the stylesheet of the page',
    answers: { 200: z.string() },
    gives: 'text/css',
    handle: async (_, { reference }) =>
      new Response(await reference.style(), { headers: { 'content-type': 'text/css; charset=utf-8' } }),
  }),
]

const ownStyleOnly =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

import { z } from 'zod'
import { controlCall, jsonText, noBody } from './control-call.ts'
import { clientQuery } from './input.ts'

const openApiDocument = z
  .looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) })
  .meta({ id: 'OpenApiDocument' })

const words = { method: 'GET', query: clientQuery, body: noBody } as const

/** The OpenAPI documents. */
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
]

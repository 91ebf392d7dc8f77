import * as z from 'zod'
import { causeTable } from '../../domain/diagnosis/causes.ts'
import { operations } from '../../domain/journal/entry.ts'
import { moment, wallMoment } from './common.ts'

export const diagnosis = z
  .strictObject({
    cause: z.enum(Object.keys(causeTable)).meta({
      description:
        'A stable cause, like `signature.amount-spelling`; docs/reference/diagnosis.md explains all causes.',
    }),
    message: z.string().meta({ description: 'What is wrong and what to do, in one line.' }),
    stringToSign: z.string().optional().meta({ description: 'For signatures: the correct string to sign.' }),
    signedString: z.string().optional().meta({
      description: 'For signatures: the string that was signed instead, if the emulator could find it.',
    }),
    firstDifference: z.int().optional().meta({ description: 'The index of the first different character.' }),
  })
  .meta({ id: 'Diagnosis', description: 'Why a request was refused.' })

export const journalEntry = z
  .strictObject({
    id: z.string(),
    wallAt: wallMoment,
    at: moment.meta({ description: 'On the client’s clock; wall-clock time if the client is not known.' }),
    clientId: z.string().nullable(),
    operation: z.enum(operations).nullable(),
    requestId: z.string().nullable(),
    method: z.string(),
    path: z.string().meta({ description: 'Includes the query.' }),
    headers: z.record(z.string(), z.string()).meta({ description: 'Secrets are shortened.' }),
    body: z.string(),
    status: z.int().meta({ description: '0 if there was no answer.' }),
    response: z.string(),
    ms: z.int().meta({ description: 'The duration until the answer, which was sent at `wallAt`.' }),
    notes: z.array(z.string()),
    diagnosis: diagnosis.nullable(),
  })
  .meta({
    id: 'JournalEntry',
    description: 'A request to the service and its answer.',
    example: {
      id: 'req_mf3k2000000001',
      wallAt: 1790000000000,
      at: 1790000000000,
      clientId: 'demo-client',
      operation: 'create-checkout-order',
      requestId: 'r1',
      method: 'POST',
      path: '/v1/client/checkout/create-order',
      headers: { 'access-token': 'demo…(10 characters)' },
      body: '{"requestId":"r1"}',
      status: 401,
      response: '{"error":"Client verification failed"}',
      ms: 1,
      notes: [],
      diagnosis: {
        cause: 'signature.amount-spelling',
        message: 'signature: the amount is spelled otherwise',
      },
    },
  })

import * as z from 'zod'
import { conformText } from '../../src/conform/config/config-schema.ts'
import { acts } from '../../src/conform/stories/acts.ts'
import { promises } from '../../src/conform/stories/promises.ts'
import { fixtureText } from '../../src/domain/fixture/fixture-text.ts'
import { snapshotDocument } from '../../src/domain/fixture/world-document.ts'

export const fixtureSchema = () => schemaText('A fixture of payment-order-emulator', fixtureText)

export const snapshotSchema = () => schemaText('A snapshot of payment-order-emulator', snapshotDocument)

export const conformSchema = () =>
  schemaText(
    'Configuration of payment-order-emulator conform: how to reach the application under test',
    conformText,
  )

/** The schema of a story file, which `conform --story` plays. */
export const storySchema = () =>
  jsonText({
    title: 'A story of payment-order-emulator: acts that break a promise',
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    required: ['promise', 'acts'],
    additionalProperties: false,
    properties: {
      promise: {
        description: 'The promise that the story broke when it was found.',
        oneOf: promises.map(({ id, should }) => ({ const: id, description: should })),
      },
      seed: { description: 'Seed of the search that found it.', type: 'string' },
      repeats: {
        description: 'How often it broke the promise when it was repeated.',
        type: 'string',
        pattern: '^\\d+ of \\d+$',
      },
      acts: {
        description: 'What happens, in this order. The first act creates the order.',
        type: 'array',
        minItems: 1,
        items: {
          anyOf: [
            { $ref: '#/definitions/act' },
            {
              type: 'object',
              required: ['together'],
              additionalProperties: false,
              properties: {
                together: {
                  description: 'Acts at the same moment.',
                  type: 'array',
                  minItems: 2,
                  items: { $ref: '#/definitions/act' },
                },
              },
            },
          ],
        },
      },
    },
    definitions: {
      act: { oneOf: Object.entries(acts).map(([act, { does }]) => ({ const: act, description: does })) },
    },
  })

function schemaText(title: string, schema: z.ZodType): string {
  return jsonText({
    title,
    ...z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      target: 'draft-7',
      reused: 'ref',
      // Strict validators refuse a keyword that they do not know; this one is for the reference page.
      override: ({ jsonSchema }) => void delete jsonSchema['x-file'],
    }),
  })
}

/** JSON without indentation: editors read these schemas, and the package is 80 KB smaller. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value)}\n`

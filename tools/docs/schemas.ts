import * as z from 'zod'
import { conformText } from '../../src/conform/config/config-schema.ts'
import { fixtureText } from '../../src/domain/fixture/fixture-text.ts'
import { snapshotDocument } from '../../src/domain/fixture/world-document.ts'

export const fixtureSchema = () => schemaText('A fixture of payment-order-emulator', fixtureText)

export const snapshotSchema = () => schemaText('A snapshot of payment-order-emulator', snapshotDocument)

export const conformSchema = () =>
  schemaText(
    'Configuration of payment-order-emulator conform: how to reach the application under test',
    conformText,
  )

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

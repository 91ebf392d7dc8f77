import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { conformText } from '../src/conform/config/config-schema.ts'
import { fixtureText } from '../src/domain/fixture/fixture-text.ts'

/** The kinds of file that people write by hand, and where the schema lies by which an editor helps with them. */
const schemas = [
  { target: 'fixtures/schema.json', title: 'A fixture of payment-order-emulator', of: fixtureText },
  {
    target: 'conform/schema.json',
    title: 'What payment-order-emulator conform is to know of an application',
    of: conformText,
  },
]

/** The JSON Schema of each, as text. */
export function jsonSchemas(): { target: string; text: string }[] {
  return schemas.map(({ target, title, of }) => {
    const schema = z.toJSONSchema(of, { io: 'input', unrepresentable: 'any', target: 'draft-7' })
    return { target, text: `${JSON.stringify({ title, ...schema }, null, 2)}\n` }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { target, text } of jsonSchemas()) writeFileSync(new URL(`../${target}`, import.meta.url), text)
}

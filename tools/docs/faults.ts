import * as z from 'zod'
import { controlDocument } from '../../src/app/openapi/control.ts'
import { deliveryEffectText } from '../../src/domain/faults/planned-fault.ts'
import { accepts, asSchema, fieldsOf, type JsonSchema, meaningOf } from './json-schema.ts'
import { openApi } from './openapi.ts'
import { scenarioTable } from './scenario-reference.ts'
import { table } from './table.ts'

const tableOf = (schema: JsonSchema): string =>
  table(
    ['Field', 'Takes', 'Meaning'],
    fieldsOf(schema).map(({ name, schema, required }) => [
      `\`${name}\`${required ? ' (required)' : ''}`,
      accepts(schema),
      meaningOf(schema),
    ]),
  )

/** The tables of the page on faults. */
export const faultParts = [
  { marker: 'webhook-rule', render: () => scenarioTable('webhooks') },
  { marker: 'call-rule', render: () => scenarioTable('answers') },
  { marker: 'call-effect', render: () => scenarioTable('answers.effect') },
  {
    marker: 'planned-fault',
    render: () => tableOf(asSchema(openApi(controlDocument()).components.schemas.FaultRequest)),
  },
  { marker: 'delivery-effect', render: () => tableOf(z.toJSONSchema(deliveryEffectText, { io: 'input' })) },
]

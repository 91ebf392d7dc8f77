import type { z } from 'zod'
import type { choice } from '../../../control/shapes/choice.ts'
import type { Field } from '../form.tsx'

/** A setting as `GET /choices` tells it. */
export type Setting = z.output<typeof choice>['settings'][number]

/** The control that fits the values of a setting. */
export function fieldOf({ name, value, default: fallback, allowed, values }: Setting): Field {
  const common = { name, label: name, hint: `Takes ${plain(allowed)}.`, required: true }
  if (values !== null) {
    const type = values.every((each) => typeof each === 'boolean') ? 'boolean' : 'text'
    return { ...common, type, value: String(value), options: values.map(String), hint: undefined }
  }
  if (typeof fallback === 'number') return { ...common, type: 'number', value: String(value) }
  if (isWordList(fallback) && isWordList(value))
    return { ...common, type: 'list', value: value.join(', '), hint: `${common.hint} Separated by commas.` }
  const isLong = fallback === null || typeof fallback === 'object' || typeof value === 'object'
  const rows = isLong && name !== 'publicBaseUrl' ? 6 : undefined
  return { ...common, type: 'value', value: value === null ? '' : written(value), rows }
}

/** A value as it is typed: texts as they are, all else as JSON. */
const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** A value on one line. */
export const shownValue = (value: unknown): string =>
  value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)

const isWordList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')

const plain = (text: string): string => text.replaceAll('`', '')

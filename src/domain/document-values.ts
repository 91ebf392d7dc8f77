import * as z from 'zod'
import { readSettings, type SettingsOverlay } from './choices.ts'
import { lastMoment } from './moment.ts'

// The values that the things of a snapshot are made of.

export const text = z.string()

/** A name by which things are found: half a character is another one once it is stored. */
export const id = text.refine((value) => value.isWellFormed(), 'contains half of a surrogate pair')

/** Epoch milliseconds. */
export const at = z.int().min(-lastMoment).max(lastMoment)

/** A number of milliseconds, forwards or backwards. */
export const offset = z.number().min(-lastMoment).max(lastMoment)

export const duration = z.number().min(0).max(lastMoment)

export const count = z.int().min(0)

export const amount = text.regex(/^\d+(\.\d+)?$/, 'must be an amount, like "10.50"')

export const texts = z.record(text, text)

/** Settings by dotted name, as far as those of a scope go. */
export const settings = (scope: 'common' | 'client' | 'order') =>
  z
    .custom<SettingsOverlay>()
    // Here, or the makers of the OpenAPI document would not know what it is.
    .meta({ type: 'object', additionalProperties: {}, description: 'Settings by dotted name.' })
    .superRefine((value, context) => {
      const reading = readSettings(value, { scope, nulls: 'remove' })
      if (reading.ok) return
      for (const { path, message } of reading.problems)
        context.addIssue({ code: 'custom', path: [...path], message })
    })

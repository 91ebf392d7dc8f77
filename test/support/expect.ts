import { expect } from 'vitest'
import { defaultSettings } from '../../src/domain/choices/settings.ts'
import type { Answer } from './answer.ts'

/** 401, and byte for byte the body of a failed client verification (`CVF` in the requirements). */
export function expectVerificationFailed(answer: Answer): void {
  expect(seen(answer)).toEqual({ status: 401, text: '{"error":"Client verification failed"}' })
}

/** 401, and byte for byte the body that says that an order exists for the requestId. */
export function expectOrderExists(answer: Answer): void {
  const text = '{"error":{"code":"7001","message":"Order already exists for given requestId"}}'
  expect(seen(answer)).toEqual({ status: 401, text })
}

/** Expects the refusal of invalid input (`V400`, N28), whose message begins with the name of the wrong field. Create
 *  calls answer an object, all others a text. */
export function expectInvalid(answer: Answer, field: string): void {
  const status = defaultSettings['errors.validationStatus']
  expect(seen(answer)).toEqual({ status, text: expect.stringMatching(/^\{"error":/) })
  const { error } = answer.json
  const message = typeof error === 'string' ? error : Object(error).message
  expect(message).toMatch(new RegExp(`(^|; )${field.replaceAll('.', '\\.')}: .`))
}

/** The status; on failure the body is shown too. */
export function expectStatus(answer: Answer, status: number): void {
  expect(seen(answer)).toEqual({ status, text: expect.any(String) })
}

/** The part of an answer that a failing test shows. */
const seen = ({ status, text }: Answer) => ({ status, text })

import { connectionAdvice, type Place } from '../domain/connection-advice.ts'

/** Why there was no answer, in words, with what to do about it where that is known.
 *  @param host as the URL names it; an IPv6 address may stand in brackets
 *  @param place where the emulator runs */
export function connectionWords(error: Error, host: string, place: Place): string {
  // A name with several addresses fails once for each; the first stands for all.
  if (error instanceof AggregateError && error.errors[0] instanceof Error)
    return connectionWords(error.errors[0], host, place)
  const code = memberOf(error, 'code') ?? ''
  // Node gives some errors a code and no message.
  const message = error.message === '' ? code : (plainer[error.message] ?? error.message)
  const failed = { code, host: host.replace(/^\[|\]$/g, ''), address: memberOf(error, 'address') }
  const advice = connectionAdvice(failed, place)
  return advice === null ? message : `${message}; ${advice}`
}

/** What undici says too shortly, or of something else. */
const plainer: Readonly<Record<string, string>> = {
  'other side closed': 'the receiver closed the connection before it answered',
  'Headers Overflow Error': 'the answer has more than 16 KiB of headers',
  // Before the body there is nothing to match yet: the length itself is wrong.
  'Response body length does not match content-length header':
    'the content-length of the answer is not valid',
}

function memberOf(error: Error, name: string): string | undefined {
  const value: unknown = Object.entries(error).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : undefined
}

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

/** What undici says too shortly. It knows no 100 Continue (nodejs/undici#197) and breaks the connection off. */
const plainer: Readonly<Record<string, string>> = {
  'bad response': 'the receiver answered 100 Continue, for which nobody had asked',
  'bad upgrade': 'the receiver wants to switch protocols',
  'other side closed': 'the receiver closed the connection before it had answered',
  'Headers Overflow Error': 'the answer has more than 16 KiB of headers',
}

function memberOf(error: Error, name: string): string | undefined {
  const value: unknown = Object.entries(error).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : undefined
}

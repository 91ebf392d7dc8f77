import { memberText } from '../../domain/json-text.ts'
import type { SignedMembers } from '../../domain/signature.ts'
import { isObject } from '../../http/body.ts'
import { GiveUp } from '../give-up.ts'

/** The body of a create call, with what is signed of it. */
export interface SignedBody {
  readonly kind: 'checkout' | 'subscription'
  readonly text: string
  readonly members: SignedMembers
  /** What the service would not take as it stands. */
  readonly notes: readonly string[]
}

/** For a command line that names nothing to sign. */
export const noBody = (): GiveUp => new GiveUp(2, 'error: no body; pass JSON or a file, or pipe the body in')

const byteOrderMark = /^\uFEFF/
const markNote = 'the body begins with a byte order mark, which JSON does not allow; it is ignored here'
const always = ['currencyId', 'fiatAmount', 'requestId'] as const

/** Reads the members that are signed, each as it stands in the body. @throws GiveUp */
export function signedBody(written: string): SignedBody {
  if (written.trim() === '') throw noBody()
  const text = written.replace(byteOrderMark, '')
  requireObject(text)
  const value = (name: keyof SignedMembers) => valueIn(text, name)
  const missing = always.filter((name) => value(name) === undefined)
  if (missing.length > 0)
    throw new GiveUp(2, `error: the body has no ${missing.join(' and no ')}; the signature covers it`)
  const names = [...always, 'interval', 'trialPeriodDays'] as const
  const members = {
    currencyId: value('currencyId') ?? '',
    fiatAmount: value('fiatAmount') ?? '',
    requestId: value('requestId') ?? '',
    interval: value('interval'),
    trialPeriodDays: value('trialPeriodDays'),
  }
  return {
    kind: members.interval === undefined ? 'checkout' : 'subscription',
    text,
    members,
    notes: [...(text === written ? [] : [markNote]), ...names.flatMap((name) => notText(text, name))],
  }
}

/** A text without its quotes; anything else as it is written. */
function valueIn(text: string, name: string): string | undefined {
  const written = memberText(text, name)
  if (written === null || written === 'null') return undefined
  return written.startsWith('"') ? String(JSON.parse(written)) : written
}

function notText(text: string, name: string): string[] {
  const written = memberText(text, name)
  if (written === null || written === 'null' || written.startsWith('"')) return []
  return [`${name} is ${written} in the body; the service accepts only text: "${written}"`]
}

function requireObject(text: string): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new GiveUp(
      2,
      `error: the body is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (!isObject(value)) throw new GiveUp(2, 'error: the body must be a JSON object')
}

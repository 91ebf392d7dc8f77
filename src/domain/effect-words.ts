import type { CryptoLeg, Effect, ScriptedAmount } from './scenario/scenario.ts'

/** What a step does, in a few words: `order FAILED 9004`. */
export function effectWords(effects: readonly Effect[]): string {
  return effects.map(words).join(', ')
}

function words(effect: Effect): string {
  switch (effect.do) {
    case 'pay':
      return withCode(`pay ${effect.outcome}`, effect.errorCode)
    case 'order':
      return withCode(`order ${effect.status}`, effect.errorCode)
    case 'payment':
    case 'settlement':
      return `${effect.do} ${effect.status}`
    case 'received':
      return `received ${amountWords(effect.amount)}`
    case 'crypto':
      return legWords(effect)
    case 'refund':
      return `refund of ${amountWords(effect.amount)}, ${effect.status}`
    case 'refund-status':
      return `refund ${effect.status}`
    case 'refund-error':
      return `refund error ${typeof effect.error === 'string' ? effect.error : JSON.stringify(effect.error)}`
    case 'cancel':
      return 'subscription cancelled'
    case 'metadata':
      return 'other metadata'
    case 'client':
      return effectOnClient(effect)
    case 'webhook':
      return `extra webhook${effect.webhook.status === null ? '' : ` ${effect.webhook.status}`}`
  }
}

const withCode = (text: string, code: string | null): string => (code === null ? text : `${text} ${code}`)

const amountWords = (amount: ScriptedAmount): string =>
  'exact' in amount ? amount.exact : amount.percent === '100' ? 'all' : `${amount.percent} %`

function legWords({ shown, status }: CryptoLeg): string {
  const seen = shown === null ? [] : [shown ? 'crypto leg appears' : 'crypto leg disappears']
  return [...seen, ...(status === null ? [] : [`crypto leg ${status}`])].join(', ')
}

function effectOnClient(effect: Extract<Effect, { do: 'client' }>): string {
  const { tokensExpire, refuseTokensMs, tokenLifetimeMs, webhookUrl } = effect
  const happens = [
    tokensExpire && 'all tokens expire',
    refuseTokensMs !== null && `all tokens are refused for ${refuseTokensMs / 1000} s`,
    tokenLifetimeMs !== null &&
      `new tokens live ${tokenLifetimeMs === 'usual' ? 'as long as usual' : `${tokenLifetimeMs / 1000} s`}`,
    webhookUrl !== null && 'another webhook URL',
  ]
  return happens.filter((one) => one !== false).join(', ')
}

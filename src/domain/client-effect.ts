import { mergeOverlay } from './choices.ts'
import type { Client } from './client.ts'
import type { ClientChange } from './decision.ts'
import type { ClientEffect } from './scenario/scenario.ts'
import type { EpochMs } from './time.ts'

/** The client as nothing has happened to it yet. */
export function unchanged(client: Client): ClientChange {
  const { webhookUrl, webhookPaused, settings, ownTokenExpired, tokensRefusedUntil } = client
  return { webhookUrl, webhookPaused, settings, ownTokenExpired, tokensRefusedUntil, tokensExpireAt: null }
}

/** What a scenario makes of the client. A webhook URL that is set ends a pause, as in the API (N44). */
export function changedClient(client: ClientChange, effect: ClientEffect, nowMs: EpochMs): ClientChange {
  const { tokensExpire, refuseTokensMs, tokenLifetimeMs, webhookUrl } = effect
  const lifetime = tokenLifetimeMs === 'usual' ? null : `${tokenLifetimeMs}ms`
  return {
    webhookUrl: webhookUrl === null ? client.webhookUrl : urlFrom(client.webhookUrl, webhookUrl),
    webhookPaused: webhookUrl === null && client.webhookPaused,
    settings:
      tokenLifetimeMs === null
        ? client.settings
        : mergeOverlay(client.settings, { 'auth.tokenLifetime': lifetime }),
    ownTokenExpired: tokensExpire || client.ownTokenExpired,
    tokensExpireAt: tokensExpire ? nowMs : client.tokensExpireAt,
    tokensRefusedUntil: refuseTokensMs === null ? client.tokensRefusedUntil : nowMs + refuseTokensMs,
  }
}

/** A new URL, or the old one with something added to its query; no URL stays none. */
function urlFrom(before: string | null, to: NonNullable<ClientEffect['webhookUrl']>): string | null {
  if ('set' in to) return to.set
  if (before === null || before.endsWith(to.addQuery)) return before
  return `${before}${before.includes('?') ? '&' : '?'}${to.addQuery}`
}

import type { Case } from '../case.ts'
import { normalLife } from './k01-normal-life.ts'
import { orderFails } from './k02-order-fails.ts'
import { answers } from './k03-answers.ts'
import { forgedSignature } from './k04-forged-signature.ts'
import { sameJson } from './k05-same-json.ts'
import { wrongTime } from './k06-wrong-time.ts'
import { nearlyRightTime } from './k07-nearly-right-time.ts'
import { sameBytesAgain } from './k08-same-bytes-again.ts'
import { newAttempts } from './k09-new-attempts.ts'
import { atOnce } from './k10-at-once.ts'
import { anotherId } from './k11-another-id.ts'
import { cutOff } from './k12-cut-off.ts'
import { aDayLater } from './k13-a-day-later.ts'

/** How orders end, whose webhooks are believed, and what comes more than once: K01 to K13. */
export const repeats: readonly Case[] = [
  normalLife,
  orderFails,
  answers,
  forgedSignature,
  sameJson,
  wrongTime,
  nearlyRightTime,
  sameBytesAgain,
  newAttempts,
  atOnce,
  anotherId,
  cutOff,
  aDayLater,
]

import type { Case } from '../case.ts'
import { newWordsInWebhooks } from './k23-new-words.ts'
import { unknownOrder } from './k24-unknown-order.ts'
import { otherClient } from './k25-other-client.ts'
import { noEvents } from './k26-no-events.ts'
import { hostileTexts } from './k27-hostile-texts.ts'
import { burst } from './k34-burst.ts'
import { twoLegs } from './k38-two-legs.ts'
import { movedUrl } from './k39-moved-url.ts'
import { forgedReturn } from './k40-forged-return.ts'

/** Messages that are strange, many, or not for the application: K23 to K27, K34, K38 to K40. */
export const messages: readonly Case[] = [
  newWordsInWebhooks,
  unknownOrder,
  otherClient,
  noEvents,
  hostileTexts,
  burst,
  twoLegs,
  movedUrl,
  forgedReturn,
]

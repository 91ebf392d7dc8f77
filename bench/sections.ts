import { ceilings } from './ceilings.ts'
import { coldStart } from './cold-start.ts'
import { create } from './create.ts'
import type { Section } from './frame/section.ts'
import { fiveMillionOrders, growth } from './growth.ts'
import { image } from './image.ts'
import { ladder } from './ladder.ts'
import { lists } from './lists.ts'
import { lives } from './lives.ts'
import { lookup } from './lookup.ts'
import { memory } from './memory.ts'
import { profile } from './profile.ts'
import { burst } from './webhooks/burst.ts'
import { lateness } from './webhooks/lateness.ts'

/** All parts of the bench, in the order in which they run and stand in the results. */
export const sections: readonly Section[] = [
  ceilings,
  create,
  ladder,
  lookup,
  growth,
  fiveMillionOrders,
  memory,
  burst,
  lateness,
  lives,
  coldStart,
  image,
  lists,
  profile,
]

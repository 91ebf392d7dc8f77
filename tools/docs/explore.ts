import { actNames, acts, scopeOf } from '../../src/conform/stories/acts.ts'
import { promises } from '../../src/conform/stories/promises.ts'
import { table } from './table.ts'

const concerned = {
  create: 'the order',
  payer: 'the order',
  order: 'the order',
  client: 'all orders side by side',
} as const

/** The acts of which stories are made. */
export const actTable = (): string =>
  table(
    ['Act', 'What happens', 'Concerns'],
    actNames.map((act) => [`\`${act}\``, acts[act].does, concerned[scopeOf(act)]]),
  )

/** The promises by which stories are judged. */
export const promiseTable = (): string =>
  table(
    ['Promise', 'Your application should', 'Because'],
    promises.map(({ id, should, why }) => [`\`${id}\``, should, why]),
  )

import { behaviours } from '../../src/domain/sweep/behaviours.ts'
import { table } from './table.ts'

/** The behaviours that `sweep` applies, and why the service may do that. */
export const behaviourTable = (): string =>
  table(
    ['Behaviour', 'The service …', 'Legal because', '`--quick`'],
    behaviours.map(({ name, does, ground, quick }) => [`\`${name}\``, does, ground, quick ? 'yes' : '']),
  )

import { EmulatorError } from '../../domain/errors.ts'
import type { LifeSpan } from '../../domain/life-span.ts'

/** Part of a write: refuses what was decided in a world that has ended since. @throws world_ended */
export function refuseEnded(life: LifeSpan | undefined): void {
  if (life?.ended) throw new EmulatorError('world_ended')
}

import { topics } from './topics.ts'

const shipped = new Set(topics.flatMap(([, , ids]) => ids))

/** Where a scenario came from, if it did not ship, and the kinds of order it is for, if not all. */
export function Origin({
  of: { id, from, for: kinds },
}: {
  of: { readonly id: string; readonly from: string; readonly for: readonly string[] | null }
}) {
  return (
    <>
      {from === 'built-in' ? null : (
        <span
          class="status waiting"
          title={from === 'file' ? 'From a file' : 'Added through the control API'}
        >
          {shipped.has(id) ? 'changed' : 'own'}
        </span>
      )}
      {kinds === null ? null : <span class="status other">{kinds.join(', ')} only</span>}
    </>
  )
}

// A process that plays worlds, one after the other: fifty of them beside each other, or one alone. It is run by Node
// as it is, and imports little, so that fifty of them start quickly.
import { begin } from './play.ts'

/** The commands of the parent: prepare a sandbox, then play it. */
type Order = { readonly url: string; readonly world: number } | 'go'

let begun: ReturnType<typeof begin> | undefined

process.on('message', (order: Order) => {
  act(order).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
  )
})

async function act(order: Order): Promise<object> {
  if (order === 'go') {
    if (begun === undefined) throw new Error('nothing has begun')
    return (await begun).play()
  }
  begun = begin(order.url, order.world)
  await begun
  return { ready: true }
}

import { callOf, create } from '../load/requests.ts'

/** Orders that a peer without checks has from the beginning: the bodies of the create calls with the numbers from 0
 *  on, each with its requestId as `id`, the key of such tools. They stand in a mixed order: lookups go by the numbers,
 *  and those of few requests too are to be found all over the list. */
export function storedOrders(count: number): { readonly id: string }[] {
  return Array.from({ length: count }, (_, place) => {
    const body: { requestId: string } = JSON.parse(callOf(create, (place * stride) % count).body)
    return { id: body.requestId, ...body }
  })
}

/** A prime, so that every number up to a count that it does not divide comes once. */
const stride = 7_919

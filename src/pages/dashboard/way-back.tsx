import { isAt, places } from './places.ts'
import { linkTo, type Shell } from './view.ts'

/** From a page that is not there to the list in which it would stand. The client may be what is wrong with the address,
 *  so it is left out. */
export function WayBack({ shell }: { shell: Shell }) {
  const [path, name] = places.find(([path]) => isAt(path, shell)) ?? places[0]
  return (
    <p>
      <a href={linkTo({ clientId: undefined }, path)}>Go to {name}</a>
    </p>
  )
}

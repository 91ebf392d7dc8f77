/** Which life of a client's world: higher with each time that the world is made, emptied or replaced, and never the same
 *  for two worlds. What was decided under one generation is refused in the next (`Store`). */
export type Generation = number

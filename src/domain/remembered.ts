/** What is told about something, kept until something else is asked about: for what many requests in a row share. Of an
 *  object nothing may ever change. */
export function keepingLast<About, Told>(tell: (about: About) => Told): (about: About) => Told {
  let last: { about: About; told: Told } | null = null
  return (about) => {
    if (about !== last?.about) last = { about, told: tell(about) }
    return last.told
  }
}

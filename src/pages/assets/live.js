// @ts-check
// What JavaScript adds to the dashboard: lists that stay up to date, filters that apply as one types, buttons that
// work in place, keys. All of it works without, by links and forms.

import { actInPlace } from './act.js'
import { tickClocks } from './clocks.js'
import { copyCommands } from './copy.js'
import { filterAsOneTypes } from './filter.js'
import { keepWhatIsTheReaders } from './keep.js'
import { obeyKeys } from './keys.js'
import { stayLive } from './pulse.js'
import { chooseClient } from './scope.js'
import { showOwnTime } from './times.js'

document.documentElement.classList.add('scripted')
forgetNote()
keepWhatIsTheReaders()
stayLive()
filterAsOneTypes()
chooseClient()
actInPlace()
copyCommands()
obeyKeys()
showOwnTime()
tickClocks()

/** The note has been shown: the address is the page's own again. */
function forgetNote() {
  const url = new URL(location.href)
  if (!url.searchParams.has('note')) return
  url.searchParams.delete('note')
  history.replaceState(null, '', url)
}

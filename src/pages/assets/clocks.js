// @ts-check
// Lets the clocks on a page tick: each `time` with `data-now` (epoch milliseconds, when the page was made) and
// `data-speed` (seconds that pass in a second).

/** What each element was told, and when that was. @type {WeakMap<HTMLTimeElement, { now: string, seenAt: number }>} */
const told = new WeakMap()

/** Begins to let them tick. */
export function tickClocks() {
  tick()
  setInterval(tick, 250)
}

function tick() {
  for (const element of document.querySelectorAll('time[data-now]')) {
    if (element instanceof HTMLTimeElement) show(element)
  }
}

/** @param {HTMLTimeElement} element */
function show(element) {
  const { now = '', speed = '0' } = element.dataset
  let seen = told.get(element)
  // A live page tells the same element something newer.
  if (seen?.now !== now) {
    seen = { now, seenAt: performance.now() }
    told.set(element, seen)
  }
  const reads = Number(now) + (performance.now() - seen.seenAt) * Number(speed)
  const iso = new Date(reads).toISOString()
  const [date, ofDay] = element.querySelectorAll('span')
  if (date && date.textContent !== iso.slice(0, 10)) date.textContent = iso.slice(0, 10)
  if (ofDay && ofDay.textContent !== iso.slice(11, 19)) ofDay.textContent = iso.slice(11, 19)
}

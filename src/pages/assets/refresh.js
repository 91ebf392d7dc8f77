// @ts-check
// Asks for the page again and changes what is shown into what came.

import htmx from './htmx.js'

/** Between two requests that nobody asked for by hand, in milliseconds. */
const quickMs = 250
const steadyMs = 1_000
/** So many follow each other quickly; nobody reads more, and the emulator has other things to do. */
const quickInARow = 8
/** A page that takes long is asked for less often: at most a fifth of the time is spent on it. */
const restPerWork = 4

let wanted = false
let inARow = 0
/** @type {Promise<unknown>} */
let last = Promise.resolve()
/** @type {number | undefined} */
let cooling
let held = () => false

/** Says when the page may not change, because somebody is at work in it.
 *  @param {() => boolean} isHeld */
export function holdWhile(isHeld) {
  held = isHeld
}

/** Whether something has changed that is not shown. */
export const isBehind = () => wanted

/** Something has changed: asks anew, as soon as that is due. */
export function askSoon() {
  wanted = true
  goOn()
}

/** Goes on after a hold. */
export function goOn() {
  if (!wanted || cooling !== undefined || held()) return
  wanted = false
  const begun = performance.now()
  cooling = setTimeout(() => {}, 0)
  askNow().finally(() => {
    const workMs = performance.now() - begun
    const pauseMs = inARow < quickInARow ? quickMs : steadyMs
    inARow += 1
    // Many browsers hear of a change at the same moment; they need not all ask at the same moment again.
    const spread = 0.8 + Math.random() * 0.4
    cooling = setTimeout(coolDown, Math.max(pauseMs, workMs * restPerWork) * spread)
  })
}

function coolDown() {
  cooling = undefined
  if (!wanted) inARow = 0
  goOn()
}

/** Asks for the page at the address that is shown. Never two at once.
 *  @returns {Promise<boolean>} whether the page came */
export const askNow = () => exclusively(() => showAnswer(fetch(location.href, asPage)))

/** Changes with every answer, though it stands beside what is live. */
const marked = ['#top [data-fresh]', '#tools [data-fresh]']

const asPage = { headers: { accept: 'text/html' }, cache: /** @type {const} */ ('no-store') }

/** Does one thing after the other.
 *  @template T
 *  @param {() => Promise<T>} act
 *  @returns {Promise<T>} */
export function exclusively(act) {
  const done = last.then(act, act)
  last = done.catch(() => undefined)
  return done
}

/** Shows the page that comes in place of the one that is there.
 *  @param {Promise<Response>} coming
 *  @param {readonly string[]} [also] what changes with it, beside `#live`; if left out, only what is marked in header
 *    and tools
 *  @returns {Promise<boolean>} whether it did */
export async function showAnswer(coming, also = marked) {
  const answer = await coming.catch(() => null)
  if (answer === null) return false
  // Who is not known any more is asked for the token by the page as a whole.
  if (answer.status === 401) location.reload()
  const text = await answer.text().catch(() => '')
  const live = document.getElementById('live')
  if (live === null || !text.includes(' id="live"')) return false
  await morph(live, text, also)
  return true
}

/** @param {Element} live
 *  @param {string} text
 *  @param {readonly string[]} also */
async function morph(live, text, also) {
  const focus = focusBefore()
  await htmx.swap({
    text,
    sourceElement: live,
    target: live,
    select: '#live',
    selectOOB: also.map((other) => `${other}:outerMorph`).join(),
    swap: 'outerMorph',
  })
  focus.keep()
}

/** Where the focus is, so that it does not fall back to the start of the page when its row goes. */
function focusBefore() {
  const focused = document.activeElement
  const row = focused?.closest('#live, #tools') ? focused.closest('tr, li, form') : null
  const rows = row?.parentElement?.children ?? []
  const place = row ? [...rows].indexOf(row) : -1
  return {
    keep: () => {
      if (place < 0 || focused?.isConnected) return
      const near = rows[Math.min(place, rows.length - 1)]?.querySelector('a, button, summary')
      const next = near?.isConnected ? near : document.getElementById('main')
      if (next instanceof HTMLElement) next.focus({ preventScroll: true })
    },
  }
}

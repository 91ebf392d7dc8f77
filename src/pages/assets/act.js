// @ts-check
// Buttons work in place: the page does not jump, the note of what was answered appears, the focus stays.

import { letThrough } from './keep.js'
import { exclusively, showAnswer } from './refresh.js'

const actPath = '/_emulator/ui/act'

/** A note of a success goes by itself after so many milliseconds. */
const shownMs = 5_000
/** @type {number | undefined} */
let going

/** Beside what is live: a form above may have been refused, a client or a clock in the header is another. */
const whatActsChange = ['#note', '#tools', '#top']

/** Takes the forms that make calls of the control API. */
export function actInPlace() {
  letNoteGo()
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.getAttribute('action') !== actPath) return
    event.preventDefault()
    if (form.ariaBusy !== 'true') void act(form, event.submitter)
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('#note-close') !== null) closeNote()
  })
}

/** Takes the note away. Whether there was one. */
export function closeNote() {
  const note = document.getElementById('note')
  if (note === null || note.childElementCount === 0) return false
  const hadFocus = note.contains(document.activeElement)
  note.replaceChildren()
  if (hadFocus) document.getElementById('main')?.focus({ preventScroll: true })
  return true
}

/** Takes the note of a success away in time, but not out of a reader's hands. */
function letNoteGo() {
  clearTimeout(going)
  if (document.querySelector('#note > .good') === null) return
  going = setTimeout(() => {
    if (document.querySelector('#note:is(:hover, :focus-within, :has([open]))') === null) closeNote()
    else letNoteGo()
  }, shownMs)
}

/** How often the page is moved for controls that lie under the note. */
const mostMoves = 50

/** Where the page is scrolled, the note lies over the top of the window: moves on what it would cover. */
function makeRoom() {
  const note = document.getElementById('note')
  if (note === null) return
  const { bottom, height } = note.getBoundingClientRect()
  const covered = note.nextElementSibling?.getBoundingClientRect().top ?? 0
  if (bottom > covered) scrollBy({ top: -Math.min(height, bottom - covered), behavior: 'instant' })
  for (let moves = 0; moves < mostMoves; moves++) {
    const under = controlUnder(note)
    if (under === null) return
    // The browser scrolls by whole pixels.
    scrollBy({ top: Math.floor(under - note.getBoundingClientRect().bottom), behavior: 'instant' })
  }
}

/** The upper edge of a control that lies under the note.
 *  @param {HTMLElement} note */
function controlUnder(note) {
  const { top, bottom } = note.getBoundingClientRect()
  const edges = [...document.querySelectorAll('main :is(a, button, input, select, textarea, summary)')]
    .filter((control) => !note.contains(control) && control.checkVisibility())
    .map((control) => control.getBoundingClientRect())
    .filter((edges) => edges.bottom > top && edges.top < bottom)
    .map((edges) => edges.top)
  return edges.length === 0 ? null : Math.min(...edges)
}

/** @param {HTMLFormElement} form
 *  @param {HTMLElement | null} submitter */
async function act(form, submitter) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value))
  // A filter may have changed the address since the form was made.
  if (body.get('back')?.split('?')[0] === location.pathname)
    body.set('back', `${location.pathname}${location.search}`)
  form.ariaBusy = 'true'
  try {
    await exclusively(() => send(form, body))
  } catch {
    say('The emulator did not answer. Check whether the action took effect before you repeat it.')
  } finally {
    letThrough(null)
    form.ariaBusy = null
  }
}

/** @param {HTMLFormElement} form
 *  @param {URLSearchParams} body */
async function send(form, body) {
  const answer = await fetch(actPath, { method: 'POST', body, headers: { accept: 'application/json' } })
  if (answer.status === 401) return location.reload()
  const { to, good, error } = await answer.json()
  if (error !== undefined) return say(error.message)
  const url = new URL(to, location.href)
  if (url.pathname !== location.pathname) return location.assign(url)
  // What was typed has been done; what was refused is there to be mended.
  if (good) form.reset()
  letThrough(form)
  if (!(await showAnswer(fetch(url, { headers: { accept: 'text/html' } }), whatActsChange)))
    return location.assign(url)
  makeRoom()
  letNoteGo()
}

/** @param {string} words */
function say(words) {
  const note = document.createElement('p')
  note.className = 'note bad'
  note.textContent = words
  document.getElementById('note')?.replaceChildren(note)
  makeRoom()
}

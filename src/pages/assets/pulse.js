// @ts-check
// Keeps the page up to date, and says whether it is.

import { askSoon, goOn, holdWhile, isBehind } from './refresh.js'
import { sharedStream } from './shared-stream.js'

const words = {
  live: 'Live',
  connecting: 'Connecting',
  lost: 'Reconnecting',
  paused: 'Paused',
  held: 'Held while text is selected',
}

/** @type {'connecting' | 'live' | 'lost'} */
let connection = 'connecting'
let paused = false
let pointerIsDown = false

/** Asks for the page again whenever something on it has changed, while it is looked at. */
export function stayLive() {
  if (live()?.dataset.refreshes === undefined) return
  const stream = sharedStream(hear)
  holdWhile(() => paused || document.hidden || pointerIsDown || selects() || connection !== 'live')
  const followVisibility = () => (document.hidden ? rest() : stream.watch())
  const rest = () => {
    stream.rest()
    connection = 'connecting'
    show()
  }
  document.addEventListener('visibilitychange', followVisibility)
  addEventListener('pagehide', rest)
  addEventListener('pageshow', followVisibility)
  document.addEventListener('selectionchange', settle)
  // A row that moves while the button is down would be hit by a click that meant another.
  addEventListener('pointerdown', () => {
    pointerIsDown = true
  })
  for (const end of ['pointerup', 'pointercancel', 'blur']) addEventListener(end, liftPointer)
  pauseButton()?.addEventListener('click', togglePause)
  if (!document.hidden) stream.watch()
  show()
}

/** Stops and goes on. */
export function togglePause() {
  if (pauseButton() === null || live()?.dataset.refreshes === undefined) return
  paused = !paused
  settle()
}

/** @param {import('./follow.js').News} news */
function hear(news) {
  if ('changed' in news) {
    if (concerns(news.changed)) askSoon()
    return show()
  }
  const wasLive = connection === 'live'
  connection = news.connected ? 'live' : 'lost'
  // What happened before the stream was open has been missed.
  if (!wasLive && connection === 'live') askSoon()
  show()
}

/** @param {import('./follow.js').Changed} changed */
function concerns(changed) {
  const clientId = new URLSearchParams(location.search).get('clientId')
  return Object.values(changed).some((names) => names === '*' || !clientId || names.includes(clientId))
}

function liftPointer() {
  // The click comes after.
  setTimeout(() => {
    pointerIsDown = false
    settle()
  })
}

function settle() {
  goOn()
  show()
}

/** Whether text of what changes is selected. */
function selects() {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return false
  return live()?.contains(selection.getRangeAt(0).commonAncestorContainer) ?? false
}

function state() {
  if (paused) return 'paused'
  if (connection !== 'live') return connection
  return isBehind() && selects() ? 'held' : 'live'
}

function show() {
  const pulse = document.getElementById('pulse')
  const sign = document.getElementById('pulse-state')
  const button = pauseButton()
  if (pulse === null || sign === null || button === null) return
  const now = state()
  if (pulse.dataset.state === now && !pulse.hidden) return
  pulse.dataset.state = now
  pulse.hidden = false
  sign.textContent = words[now]
  button.textContent = paused ? 'Resume' : 'Pause'
}

const live = () => document.getElementById('live')
const pauseButton = () => document.getElementById('pulse-button')

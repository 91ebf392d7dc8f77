// @ts-check
// Keys for those who like them: / j k p ? and Escape. They can be switched off, because who speaks to a computer may
// press them without meaning to (WCAG 2.1.4).

import { closeNote } from './act.js'
import { filterOf } from './filter.js'
import { togglePause } from './pulse.js'

const kept = 'payment-order-emulator.keys'

/** Listens to keys, unless they are switched off. */
export function obeyKeys() {
  const choice = document.getElementById('keys')
  if (choice instanceof HTMLInputElement) {
    choice.checked = localStorage.getItem(kept) !== 'off'
    choice.addEventListener('change', () => localStorage.setItem(kept, choice.checked ? 'on' : 'off'))
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    const target = event.target instanceof HTMLElement ? event.target : document.body
    if (event.key === 'Escape') return clear(target)
    const isOff = choice instanceof HTMLInputElement && !choice.checked
    if (isOff || target.matches('input, select, textarea, [contenteditable]')) return
    if (press(event.key)) event.preventDefault()
  })
}

/** @param {string} key
 *  @returns {boolean} whether it means something */
function press(key) {
  if (key === '?') return showKeys()
  if (key === '/') return focusSearch()
  if (key === 'j') return walk(1)
  if (key === 'k') return walk(-1)
  if (key !== 'p') return false
  togglePause()
  return true
}

/** @param {HTMLElement} target */
function clear(target) {
  if (closeNote()) return
  if (!(target instanceof HTMLInputElement) || filterOf(target) === null) return
  if (target.value === '') return target.blur()
  target.value = ''
  target.dispatchEvent(new Event('input', { bubbles: true }))
}

function showKeys() {
  const help = document.getElementById('keys-help')
  if (!(help instanceof HTMLDialogElement)) return false
  if (!help.open) help.showModal()
  return true
}

function focusSearch() {
  const field = document.querySelector(
    '.tools input[type="search"], .tools form[method="get"] input:not([type="hidden"])',
  )
  if (!(field instanceof HTMLInputElement)) return false
  field.focus()
  field.select()
  return true
}

/** To the next row of the list, or the one before.
 *  @param {1 | -1} step */
function walk(step) {
  const links = [...document.querySelectorAll('#live tbody tr')].flatMap(
    (row) => row.querySelector('a') ?? [],
  )
  const row = document.activeElement?.closest('tr')
  const at = links.findIndex((link) => row?.contains(link))
  const next = links[at < 0 ? (step === 1 ? 0 : links.length - 1) : at + step]
  next?.focus()
  return next !== undefined
}

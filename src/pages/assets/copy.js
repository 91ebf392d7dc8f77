// @ts-check
// Commands follow what is typed, and can be copied.

import { isHalfFilled } from './keep.js'

/** After the last key, in milliseconds. */
const typingMs = 200
const thanksMs = 1_500

/** @type {number | undefined} */
let waiting

/** Takes the buttons beside commands, and the forms that show theirs. */
export function copyCommands() {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button.copy') : null
    const text = button?.closest('.curl')?.querySelector('pre, .json')?.textContent
    if (button && text) void copy(text, button)
  })
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element ? target.closest('form.act') : null
    clearTimeout(waiting)
    if (form instanceof HTMLFormElement) waiting = setTimeout(follow, typingMs, form)
  })
  // Somebody may type before the scripts are there, and a browser may bring back what was typed.
  for (const form of document.querySelectorAll('form.act'))
    if (form instanceof HTMLFormElement && isHalfFilled(form)) void follow(form)
}

/** Writes the command for what is typed now.
 *  @param {HTMLFormElement} form */
async function follow(form) {
  const command = form.querySelector('.curl code')
  if (command === null) return
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) body.append(name, String(value))
  const headers = { accept: 'text/html' }
  const answer = await fetch('/_emulator/ui/curl', { method: 'POST', body, headers }).catch(() => null)
  if (answer?.ok) command.textContent = await answer.text()
}

/** @param {string} text
 *  @param {Element} button */
async function copy(text, button) {
  const done = await toClipboard(text)
  button.textContent = done ? 'Copied' : 'Press Ctrl+C'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, thanksMs)
}

/** @param {string} text */
async function toClipboard(text) {
  try {
    // Browsers have it only on https and on this machine.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

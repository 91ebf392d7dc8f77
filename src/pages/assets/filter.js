// @ts-check
// Filters apply as one types; the address always holds them.

import { askNow } from './refresh.js'

/** After the last key, in milliseconds. */
const typingMs = 200

/** @type {number | undefined} */
let waiting

/** Takes the forms above a list that lead to the list's own address. */
export function filterAsOneTypes() {
  document.addEventListener('input', ({ target }) => {
    const form = filterOf(target)
    if (form === null) return
    clearTimeout(waiting)
    const isTyped = target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type)
    waiting = setTimeout(apply, isTyped ? typingMs : 0, form)
  })
  document.addEventListener('submit', (event) => {
    const form = filterOf(event.target)
    if (form === null) return
    event.preventDefault()
    apply(form)
  })
}

/** The filter that a field, or the form itself, belongs to.
 *  @param {EventTarget | null} target */
export function filterOf(target) {
  const form = target instanceof Element ? target.closest('form') : null
  const isFilter =
    form?.matches('.tools form[method="get"]') && new URL(form.action).pathname === location.pathname
  return isFilter ? form : null
}

/** @param {HTMLFormElement} form */
function apply(form) {
  clearTimeout(waiting)
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value !== '') query.append(name, value)
  }
  const search = query.size === 0 ? '' : `?${query}`
  if (search === location.search) return
  history.replaceState(null, '', `${location.pathname}${search}`)
  void askNow()
}

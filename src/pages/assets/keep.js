// @ts-check
// What belongs to the reader stays when the page changes: what is typed, what is open.

import htmx from './htmx.js'

/** @type {HTMLFormElement | null} */
let sent = null

/** The form that was just sent comes back with what was wrong with it, and with what was typed.
 *  @param {HTMLFormElement | null} form */
export function letThrough(form) {
  sent = form
}

/** Tells htmx what it must leave alone. */
export function keepWhatIsTheReaders() {
  htmx.registerExtension('keep', {
    htmx_before_morph_node: (/** @type {Node} */ node) =>
      !(node instanceof HTMLFormElement && node !== sent && isHalfFilled(node)),
    htmx_before_morph_attr: (
      /** @type {Element} */ element,
      /** @type {{ attrName: string }} */ { attrName },
    ) => !isTheReaders(element, attrName),
  })
}

/** Whether something in a form differs from what the page came with.
 *  @param {HTMLFormElement} form */
export function isHalfFilled(form) {
  return [...form.elements].some(isChanged)
}

/** @param {Element} element
 *  @param {string} name of the attribute */
function isTheReaders(element, name) {
  if (name === 'open') return element instanceof HTMLDetailsElement || element instanceof HTMLDialogElement
  if (name === 'value' || name === 'checked') return element === document.activeElement || isChanged(element)
  if (name !== 'selected') return false
  const list = element.closest('select')
  return list !== null && (list === document.activeElement || isChanged(list))
}

/** @param {Element} control */
function isChanged(control) {
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
  if (control instanceof HTMLInputElement)
    return control.value !== control.defaultValue || control.checked !== control.defaultChecked
  if (!(control instanceof HTMLSelectElement)) return false
  const preset = [...control.options].findIndex((option) => option.defaultSelected)
  return control.selectedIndex !== Math.max(preset, 0)
}

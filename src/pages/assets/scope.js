// @ts-check
// The choice of a client applies at once, and keeps what else the address says.

/** Takes the choice in the header. */
export function chooseClient() {
  let byKey = false
  document.addEventListener('pointerdown', () => {
    byKey = false
  })
  document.addEventListener('keydown', () => {
    byKey = true
  })
  // With keys, one comes past all the clients between: what is chosen applies with the button beside it.
  document.addEventListener('change', ({ target }) => {
    if (!byKey && target instanceof HTMLSelectElement) scopeOf(target)?.requestSubmit()
  })
  document.addEventListener('submit', (event) => {
    const form = scopeOf(event.target)
    if (form === null || new URL(form.action).pathname !== location.pathname) return
    event.preventDefault()
    narrow(String(new FormData(form).get('clientId') ?? ''))
  })
}

/** @param {EventTarget | null} target
 *  @returns {HTMLFormElement | null} */
const scopeOf = (target) => (target instanceof Element ? target.closest('form.scope') : null)

/** A filter may have changed the address since the form was made.
 *  @param {string} clientId empty for all */
function narrow(clientId) {
  const query = new URLSearchParams(location.search)
  // A cursor is a place in the list of before.
  for (const name of ['cursor', 'note', 'clientId']) query.delete(name)
  if (clientId !== '') query.set('clientId', clientId)
  location.assign(query.size === 0 ? location.pathname : `${location.pathname}?${query}`)
}

// @ts-check
// Times stand there in UTC, on the client's clock. Who points at one also sees it as the own clock would show it.

/** Adds the own time to the hint of a time that is pointed at. */
export function showOwnTime() {
  document.addEventListener('pointerover', ({ target }) => {
    const time = target instanceof Element ? target.closest('time[datetime]') : null
    if (!(time instanceof HTMLTimeElement) || time.dataset.own !== undefined) return
    const own = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })
    time.title = `${time.title}\n${own}`
    time.dataset.own = own
  })
}

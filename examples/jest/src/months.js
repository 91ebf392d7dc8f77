/** Moves a moment on by months of the calendar (UTC), as the service counts them: 31 January, 28 February, 31 March.
 *  @param {number} moment epoch milliseconds
 *  @param {number} months
 *  @returns {number} epoch milliseconds */
function addMonths(moment, months) {
  const date = new Date(moment)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(day, daysInMonth(date)))
  return date.getTime()
}

function daysInMonth(date) {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}

module.exports = { addMonths }

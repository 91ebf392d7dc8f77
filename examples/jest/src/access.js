const { addMonths } = require('./months.js')

const dayMs = 24 * 3_600_000
/** A charge is not made to the second: nobody is locked out because of that. */
const graceMs = 6 * 3_600_000

/** Until when somebody may read: the end of the trial, or of the last month that was paid.
 *  @param subscription `{startedAt, trialDays, charges: [{status, at}]}`, times in epoch milliseconds, the oldest
 *    charge first; each is for one month, whether it was paid or not
 *  @returns {number} epoch milliseconds */
function accessUntil({ startedAt, trialDays, charges }) {
  const trialEnd = startedAt + trialDays * dayMs
  const month = charges.findLastIndex(({ status }) => status === 'COMPLETED')
  // Counted from the first charge: from the last one, the 31st would become the 28th for ever.
  const paidUntil = month === -1 ? trialEnd : addMonths(charges[0].at, month + 1)
  return Math.max(trialEnd, paidUntil) + graceMs
}

module.exports = { accessUntil }

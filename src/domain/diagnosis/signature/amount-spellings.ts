/** How programs write an amount that the body has as `10.00`. Each is of the same value; the body's own spelling is not
 *  among them. */
export function amountSpellings(amount: string): string[] {
  if (!/^\d{1,40}(\.\d{1,2})?$/.test(amount)) return []
  const [whole = '', fraction = ''] = amount.split('.')
  const bareFraction = fraction.replace(/0+$/, '')
  const bareWhole = whole.replace(/^0+(?=\d)/, '')
  const cents = fraction.padEnd(2, '0')
  const thousands = (separator: string) => bareWhole.replaceAll(/\B(?=(\d{3})+$)/g, separator)
  const spellings = [
    ...[bareFraction, bareFraction.padEnd(1, '0'), cents, `${cents}00`].map((digits) =>
      joined(bareWhole, digits),
    ),
    // A decimal comma, and separators of thousands.
    `${bareWhole},${cents}`,
    `${thousands(',')}.${cents}`,
    `${thousands('.')},${cents}`,
    ...(bareFraction === '' ? [thousands(','), thousands('.')] : []),
    // Minor units.
    `${bareWhole}${cents}`.replace(/^0+(?=\d)/, ''),
    ...scientific(bareWhole, bareFraction),
  ]
  return [...new Set(spellings)].filter((text) => text !== amount && text !== '')
}

const joined = (whole: string, fraction: string) => (fraction === '' ? whole : `${whole}.${fraction}`)

/** Java's BigDecimal without trailing zeros writes ten as `1E+1`, others write `1e1` or `1e+1`. */
function scientific(whole: string, bareFraction: string): string[] {
  const mantissa = whole.replace(/0+$/, '')
  const exponent = whole.length - mantissa.length
  if (bareFraction !== '' || exponent === 0 || mantissa === '') return []
  return ['E+', 'e+', 'E', 'e'].map((sign) => `${mantissa}${sign}${exponent}`)
}

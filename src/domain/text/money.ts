/** Decimal arithmetic on amounts as strings; floating point never touches money. */

/** Multiplies an amount by a rate. The result is cut (not rounded) to exactly `decimals` decimals. */
export function multiply(amount: string, rate: string, decimals: number): string {
  const a = digits(amount)
  const b = digits(rate)
  const scale = a.decimals + b.decimals
  const product = a.value * b.value
  return write(shift(product, decimals - scale), decimals)
}

/** Compares two amounts: negative if `a` is less than `b`, 0 if they are equal, positive otherwise. */
export function compareAmounts(a: string, b: string): number {
  const { value } = difference(a, b)
  return value < 0n ? -1 : value > 0n ? 1 : 0
}

/** Subtracts `b` from `a`. The result has as many decimals as the longer of the two. */
export function subtract(a: string, b: string): string {
  const { value, decimals } = difference(a, b)
  return value < 0n ? `-${write(-value, decimals)}` : write(value, decimals)
}

/** Adds two amounts. The result has as many decimals as the longer of the two. */
export function sum(a: string, b: string): string {
  const { left, right, decimals } = aligned(a, b)
  return write(left + right, decimals)
}

/** Rounds an amount half up to `decimals` decimals. */
export const rounded = (amount: string, decimals: number): string =>
  multiply(sum(amount, `0.${'0'.repeat(decimals)}5`), '1', decimals)

/** Returns the number of decimals of an amount. */
export function decimalsOf(amount: string): number {
  const point = amount.indexOf('.')
  return point === -1 ? 0 : amount.length - point - 1
}

function difference(a: string, b: string): { value: bigint; decimals: number } {
  const { left, right, decimals } = aligned(a, b)
  return { value: left - right, decimals }
}

/** Two amounts in units of the smaller of their last decimals. */
function aligned(a: string, b: string): { left: bigint; right: bigint; decimals: number } {
  const left = digits(a)
  const right = digits(b)
  const decimals = Math.max(left.decimals, right.decimals)
  return {
    left: shift(left.value, decimals - left.decimals),
    right: shift(right.value, decimals - right.decimals),
    decimals,
  }
}

function digits(amount: string): { value: bigint; decimals: number } {
  return { value: BigInt(amount.replace('.', '')), decimals: decimalsOf(amount) }
}

const shift = (value: bigint, places: number): bigint =>
  places >= 0 ? value * tenTo(places) : value / tenTo(-places)

const tenTo = (exponent: number): bigint => powersOfTen[exponent] ?? 10n ** BigInt(exponent)

/** Powers of ten, enough for the decimals of an amount and a rate together. */
const powersOfTen = Array.from({ length: 21 }, (_, exponent) => 10n ** BigInt(exponent))

function write(value: bigint, decimals: number): string {
  if (decimals === 0) return value.toString()
  const text = value.toString().padStart(decimals + 1, '0')
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}

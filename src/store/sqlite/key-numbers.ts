/** What the digits of an order's key come to, as an integer of 32 bits, which may be negative. `parseInt` takes ten times as
 *  long. */
export function numberOfKey(key: string): number {
  let number = 0
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index)
    number = (number << 4) | (code <= codeOfNine ? code - codeOfZero : code - codeOfA + 10)
  }
  return number
}

const codeOfZero = '0'.charCodeAt(0)
const codeOfNine = '9'.charCodeAt(0)
const codeOfA = 'a'.charCodeAt(0)

/** The opposite. */
export const keyOfNumber = (number: number): string => (number >>> 0).toString(16).padStart(8, '0')

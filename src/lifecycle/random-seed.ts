/** A seed that no other emulator is likely to have: 16 hexadecimal digits. Nobody has to be kept from guessing it, and
 *  `node:crypto` takes a start longer to load than all of its HTTP. */
export function randomSeed(): string {
  const half = () => Math.floor(Math.random() * 2 ** 32).toString(16)
  return [half(), half()].map((digits) => digits.padStart(8, '0')).join('')
}

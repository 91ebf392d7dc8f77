/** Eight hexadecimal digits that are enough to find an order among millions: five follow from its requestId alone,
 *  three from its client too. All orders under a requestId have the same.
 *
 *  A requestId is the caller's own and as good as random, so that each new entry of an index over them takes a page of
 *  its own: the shorter the entries, the fewer pages. Two orders may share a key by chance, so whoever finds one by it
 *  compares the rest. */
export function orderKey(clientId: string, requestId: string): string {
  const ofRequest = spread(hashed(requestId, fnvBasis))
  const ofClient = spread(hashed(clientId, ofRequest))
  const both = (ofRequest & requestBits) | (ofClient & ~requestBits)
  // JavaScript writes small integers three times as fast.
  return halfText(both >>> 16) + halfText(both & 0xff_ff)
}

const halfText = (bits: number): string => bits.toString(16).padStart(4, '0')

/** The digits that the keys of all orders under a requestId begin with, whosever they are. */
export const keyBeginning = (requestId: string): string => orderKey('', requestId).slice(0, requestDigits)

const requestDigits = 5
const requestBits = 0xff_ff_f0_00

/** FNV-1a over UTF-16 units. A cryptographic hash would take ten times as long, and nothing depends on one. */
function hashed(text: string, basis: number): number {
  let hash = basis
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), fnvPrime)
  return hash
}

const fnvBasis = 0x81_1c_9d_c5
const fnvPrime = 0x01_00_01_93

/** The last step of MurmurHash3: neighbouring texts (`order-1`, `order-2`) come to lie far apart. */
function spread(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2_b2_ae_35)
  return twice ^ (twice >>> 16)
}

const neededMajor = 22
const neededMinor = 19

/** Why this Node will not do, in one line; null if it does.
 *  @param version as in `process.versions.node`, e.g. `22.19.0` */
export function oldNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return null
  return `payment-order-emulator needs Node ${neededMajor}.${neededMinor} or newer, this is Node ${version}. Install a newer one from https://nodejs.org.`
}

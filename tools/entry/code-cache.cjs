// What V8 compiles at one start is there at the next: half the time of a start. Node has such a cache too
// (`module.enableCompileCache`), but writes it before anything has run, so without the functions that a start calls.

// Not the globals, which a test may have replaced.
const { Buffer } = require('node:buffer')
const {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs')
const { tmpdir } = require('node:os')
const { basename, dirname, join } = require('node:path')
const process = require('node:process')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const keptAtMostMs = 24 * 60 * 60 * 1000

/**
 * Compiles a file, with what an earlier process has kept.
 * @param {string} source
 * @param {string} file its path; the name changes with the contents
 * @param {string} use what is used of the file
 * @returns {{ script: Script, keep: (() => void) | null }} `keep` keeps for later processes what has been compiled until
 *   it is called; null if that is not wanted, or has been done
 */
exports.compiled = (source, file, use) => {
  const path = pathOf(file, use)
  const cachedData = path === null ? undefined : read(path)
  const script = new Script(source, { filename: file, cachedData })
  const kept = cachedData !== undefined && !script.cachedDataRejected
  if (path === null || kept) return { script, keep: null }
  const compiledBy = compiler()
  const keep = () => {
    // Whoever has changed the flags since would keep what nobody takes.
    if (compiler() === compiledBy) write(path, script.createCachedData())
  }
  return { script, keep }
}

/** Where a cache lies; null if there shall be none. The two variables are those of Node's own cache. */
function pathOf(file, use) {
  const { NODE_COMPILE_CACHE: chosen, NODE_DISABLE_COMPILE_CACHE: none } = process.env
  if (none) return null
  const user = process.getuid?.() ?? 'user'
  const folder = chosen || join(tmpdir(), `payment-order-emulator-${user}`)
  // To ask for the flags loads more of Node than to ask whether there may be any.
  const flags = process.execArgv.length > 0 || process.env.NODE_OPTIONS ? compiler() : 'plain'
  return join(folder, [basename(file, '.cjs'), use, process.version, process.arch, flags].join('-'))
}

/** V8 refuses what was compiled under other flags. Those of Node alone, like the text of `--eval`, make no difference. */
const compiler = () => require('node:v8').cachedDataVersionTag().toString(16)

/** V8 believes what it reads, so a file that somebody else could have written, or that is damaged, counts for nothing. */
function read(path) {
  let descriptor
  try {
    descriptor = openSync(path, 'r')
    const { uid, mode } = fstatSync(descriptor)
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined
    const bytes = readFileSync(descriptor)
    const data = bytes.subarray(4)
    return bytes.length > 4 && bytes.readUInt32LE(0) === crc32(data) ? data : undefined
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function write(path, data) {
  const unfinished = `${path}.${process.pid}`
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(data))
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    removeOld(dirname(path))
    try {
      writeFileSync(unfinished, Buffer.concat([sum, data]), { mode: 0o600 })
      renameSync(unfinished, path)
    } finally {
      rmSync(unfinished, { force: true })
    }
  } catch {
    // A disk that is full or must not be written: the next start takes as long as this one.
  }
}

/** What other builds have left; it would be written anew if it were still needed. */
function removeOld(folder) {
  for (const name of readdirSync(folder).filter((each) => each.startsWith('bundle-'))) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > keptAtMostMs) rmSync(path, { force: true })
  }
}

// What becomes dist/program.cjs: it loads everything but the library, out of few files. CommonJS, because linking as many
// ES modules takes Node longer than running them does.

const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const timers = require('node:timers')
const { compiled } = require('./code-cache.cjs')

/** By then a start is over and the first requests are answered: what has been compiled is what a start needs. */
const startOverMs = 1_000

/* global BUNDLES: the file of each part, by its name; put in by the build */
const evaluated = new Map()

/** What the process asked for first says what it uses of all files. */
let first

/**
 * Evaluates a part, at its first call.
 * @param {string} name of the part: see tools/build/bundle.mjs
 * @param {{ keeps?: boolean }} options whether this is a start that later ones resemble
 * @returns its exports
 */
exports.load = (name, { keeps = false } = {}) => {
  first ??= { use: name, keeps }
  const file = BUNDLES[name]
  if (!evaluated.has(file))
    evaluated.set(file, evaluate(join(__dirname, file), keeps ? { use: name, keeps } : first))
  return evaluated.get(file)[name]()
}

function evaluate(file, { use, keeps }) {
  const bundle = { exports: {} }
  // The build sees to it that this is ASCII, which V8 takes as it is, and a function around the module.
  const { script, keep } = compiled(readFileSync(file, 'latin1'), file, use)
  if (keeps && keep !== null) timers.setTimeout(keep, startOverMs).unref()
  script.runInThisContext()(bundle.exports, createRequire(file), bundle, file, __dirname)
  return bundle.exports
}

// What becomes dist/index.cjs; dist/index.js is the same in two files, see tools/build/bundle.mjs.

import './require-node.mjs'

export * from '../../src/index.ts'

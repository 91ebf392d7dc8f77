// What becomes dist/conform.cjs; dist/conform.js is the same in two files, see tools/build/bundle.mjs.

import './require-node.mjs'

export * from '../../src/conform/index.ts'

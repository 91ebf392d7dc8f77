import { oldNode } from './node-version.ts'

// Nothing else is imported before this check: the rest needs what an old Node lacks, and would crash without a word.
const refusal = oldNode(process.versions.node)
if (refusal !== null) {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 2
} else {
  import('./process.ts').then(({ runProcess }) => runProcess())
}

// Builds the site of the manual into docs/site/.dist: npm run docs. Fails if a link leads nowhere. DOCS_BASE is the path under
// which it will be served, such as /payment-order-emulator/.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { problemsOf } from './site/check.ts'
import { writePages } from './site/pages.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'site')
const { manual, sources } = writePages(join(folder, '.pages'))
const vitepress = join(folder, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
const { status } = spawnSync(process.execPath, [vitepress, 'build', folder], {
  cwd: folder,
  stdio: 'inherit',
})
const problems = status === 0 ? problemsOf(join(folder, '.dist'), process.env.DOCS_BASE) : []
for (const problem of new Set(problems)) console.error(problem)
if (status !== 0 || problems.length > 0) process.exitCode = 1
else console.log(`docs/site/.dist has ${manual} pages of the manual and ${sources} of sources.`)

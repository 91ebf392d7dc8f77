// `npm run bench`: how fast the built program is. README.md says how to read the results.

import { runBench } from './frame/run.ts'
import { burst } from './sections/burst.ts'
import { create } from './sections/create.ts'
import { growth } from './sections/growth.ts'
import { image } from './sections/image.ts'
import { lateness } from './sections/lateness.ts'
import { lists } from './sections/lists.ts'
import { lives } from './sections/lives.ts'
import { lookup } from './sections/lookup.ts'
import { memory } from './sections/million.ts'
import { oneTest } from './sections/one-test.ts'
import { start } from './sections/start.ts'

const sections = [create, lookup, memory, growth, lateness, burst, lives, start, image, oneTest, lists]

process.exitCode = await runBench('npm run bench', sections, process.argv.slice(2))

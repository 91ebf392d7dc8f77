// Makes all pictures of the README and the manual: npm run pictures. Needs Chromium; CHROMIUM names another than
// /usr/bin/chromium.

import { join } from 'node:path'
import { startBrowser, takeScreenshots } from './screenshots.ts'
import { drawDiagrams } from './site/diagrams.ts'

const images = join(import.meta.dirname, '..', 'docs', 'images')
for (const file of await takeScreenshots(images)) console.log(`docs/images/${file}`)
const browser = await startBrowser()
try {
  for (const file of await drawDiagrams(browser)) console.log(`docs/site/diagrams/${file}`)
} finally {
  await browser.close()
}

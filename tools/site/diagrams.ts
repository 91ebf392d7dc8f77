import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

const root = join(import.meta.dirname, '..', '..')
/** Pictures of the diagrams of the manual, by the hash of their text. */
export const diagramsFolder = join(root, 'docs', 'site', 'diagrams')

const schemes = ['light', 'dark'] as const
const diagram = /^```mermaid\n([\s\S]*?)^```$/gm

/** A block with a diagram as the pictures of it, one for each colour scheme.
 *  @param from path from the page to the top of the site
 *  @throws Error if the diagram has no picture yet */
export function asPictures(block: string, from: string): string {
  return block.replaceAll(diagram, (_, text: string) => {
    const title = /accTitle: (.+)/.exec(text)?.[1] ?? 'Diagram'
    return schemes
      .map((scheme) => {
        const name = pictureOf(text, scheme)
        if (!existsSync(join(diagramsFolder, name)))
          throw new Error(`A diagram has no picture: run npm run pictures\n${text}`)
        return `<img class="${scheme}-only diagram" src="${from}diagrams/${name}" alt="${title}">`
      })
      .join('\n')
  })
}

const pictureOf = (text: string, scheme: string): string =>
  `${createHash('sha256').update(text).digest('hex').slice(0, 12)}-${scheme}.svg`

/** Draws every diagram of the manual, and removes the pictures of diagrams that are gone.
 *  @returns the names of the files */
export async function drawDiagrams(browser: Browser): Promise<string[]> {
  const pages = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/site/**'] })
  const texts = pages.flatMap((page) => {
    return [...readFileSync(join(root, page), 'utf8').matchAll(diagram)].map(([, text = '']) => text)
  })
  rmSync(diagramsFolder, { recursive: true, force: true })
  mkdirSync(diagramsFolder, { recursive: true })
  const page = await browser.newPage()
  await page.setContent('<!doctype html><body></body>')
  await page.addScriptTag({
    path: join(root, 'docs', 'site', 'node_modules', 'mermaid', 'dist', 'mermaid.min.js'),
  })
  const files: string[] = []
  for (const text of texts)
    for (const scheme of schemes) {
      const svg: string = await page.evaluate(draw(text, scheme))
      const name = pictureOf(text, scheme)
      writeFileSync(join(diagramsFolder, name), `${atItsSize(svg)}\n`)
      files.push(name)
    }
  await page.close()
  return files
}

/** A picture as wide as it was drawn, where there is room for it: mermaid makes it as wide as the room. */
const atItsSize = (svg: string): string =>
  svg.replace(
    /width="100%"(.*?)viewBox="(\S+ \S+ (\S+) (\S+))"/,
    (_, between: string, box: string, width: string, height: string) =>
      `width="${width}" height="${height}"${between}viewBox="${box}"`,
  )

/** A script for the browser. Labels are SVG text: what HTML is in an SVG, not every viewer shows. */
const draw = (text: string, scheme: string): string => `(async () => {
  mermaid.initialize({
    ...{ startOnLoad: false, htmlLabels: false, flowchart: { htmlLabels: false } },
    ...{ theme: '${scheme === 'dark' ? 'dark' : 'neutral'}', fontFamily: 'system-ui, sans-serif' },
  })
  return (await mermaid.render('diagram', ${JSON.stringify(text)})).svg
})()`

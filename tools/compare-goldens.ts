// Compares golden files and generated tables at a git ref with the working tree, ignoring wording: `tsx
// tools/compare-goldens.ts main`. Prints what differs in more than wording, and exits 1 then.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Generated, generated } from './docs.ts'

/** Width at which reports for a terminal are wrapped. */
const terminalWidth = 80

/** Abbreviations that a new wording may add or leave out. */
const plainAbbreviations =
  /^(API|ASCII|base64(-encoded?)?|CORS|HMAC|HTML|HTTPS?|JSON|RST|TCP|TLS|URLs?|UTC|XML|YAML)$/i

const scenarioIds = new Set(readdirSync('scenarios').map((file) => file.replace(/\.\w+$/, '')))

/**
 * A text without its wording: per line its indentation, and per table cell its numbers, ids, quoted single words,
 * backticked names, JSON keys and capitals in their order; `~` for a cell of nothing but words. It cannot see one
 * plain lower-case word exchanged for another.
 */
export function masked(text: string): string {
  return unwrapped(text.replaceAll('&quot;', '"')).map(maskedLine).join('\n')
}

/** The lines, with each line that only goes on with a full line before it joined to that one. */
function unwrapped(text: string): string[] {
  const lines: string[] = []
  let last = ''
  for (const line of text.split('\n')) {
    if (goesOn(last, line)) lines.push(`${lines.pop()} ${line.trimStart()}`)
    else lines.push(line)
    last = line
  }
  return lines
}

function goesOn(last: string, line: string): boolean {
  const firstWord = /\S+/.exec(line)?.[0]
  const isProse = [last, line].every((each) => !/^\s*["|[\]{}]/.test(each))
  if (firstWord === undefined || !isProse || last.length > terminalWidth) return false
  const deeper = line.search(/\S/) - last.search(/\S/)
  const hasColumns = [last, line].some((each) => / {2}/.test(each.trim()))
  return last.length + 1 + firstWord.length > terminalWidth && (hasColumns ? deeper > 0 : deeper >= 0)
}

function maskedLine(line: string): string {
  const indentation = /^ */.exec(line)?.[0] ?? ''
  const separator = line.startsWith('|') ? /(?<!\\)\|/ : / {2,}/
  const cells = line.trim() === '' ? [] : line.trim().split(separator)
  return `${indentation}${cells.map(maskedCell).join(' | ')}`
}

function maskedCell(cell: string): string {
  const kept = keptParts(cell)
  return kept.length > 0 || cell.trim() === '' ? kept.join(' ') : '~'
}

function keptParts(text: string): string[] {
  return [...text.matchAll(/`[^`]*`|"(?:[^"\\]|\\.)*":?|[^\s"`]+/g)].flatMap(([token]) => {
    const isSentence = /^"[^<].* .*"$/.test(token)
    return isSentence ? keptParts(token.slice(1, -1).replaceAll('\\"', '"')) : keptPart(token)
  })
}

function keptPart(token: string): string[] {
  if (/^["`]/.test(token)) return [token]
  const bare = token.replace(/^[^\w<>/+|-]+|[^\w<>/+|-]+$/g, '')
  if (!/[a-z]/i.test(token)) return /^[.,;:!?()'’-]*$/.test(token) ? [] : [bare === '' ? token : bare]
  if (plainAbbreviations.test(bare)) return []
  const isName = /\d|[_/=<>]|^[A-Z]{2}|[a-z][A-Z]|\w\.\w|^--/.test(bare)
  return isName || scenarioIds.has(bare) ? [bare] : []
}

/** A text of which only the wording may change. */
interface Golden {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** Golden files at the ref or in the working tree; a file that one side lacks counts as empty there. */
function goldenFiles(ref: string): Golden[] {
  const isGolden = (file: string) => /^test\/.*(\/golden\/|\.golden\b|\.snap$|\/__snapshots__\/)/.test(file)
  const now = git('ls-files', '--cached', '--others', '--exclude-standard', 'test')
  const files = new Set([...git('ls-tree', '-r', '--name-only', ref, 'test'), ...now].filter(isGolden))
  return [...files].map((name) => ({ name, before: atRef(ref, name) ?? '', after: inTree(name) }))
}

/** Generated tables and schemas that are in the package; those that the ref lacks are left out. */
function generatedParts(ref: string): Golden[] {
  return generated.flatMap((part): Golden[] => {
    const file = atRef(ref, part.file)
    const before = file === undefined ? undefined : partOf(file, part)
    const isWritten = part.marker !== undefined || part.file.endsWith('.json')
    if (before === undefined || !isWritten) return []
    const name = part.marker === undefined ? part.file : `${part.file}#${part.marker}`
    return [{ name, before, after: partOf(inTree(part.file), part) ?? '' }]
  })
}

function partOf(text: string, { marker }: Generated): string | undefined {
  if (marker === undefined) return text
  return new RegExp(`<!-- ${marker} -->\n([^]*?)<!-- /${marker} -->`).exec(text)?.[1]
}

function inTree(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function atRef(ref: string, file: string): string | undefined {
  const exists = git('ls-tree', '--name-only', ref, file).length > 0
  return exists ? execFileSync('git', ['show', `${ref}:${file}`], { encoding: 'utf8' }) : undefined
}

function git(...words: string[]): string[] {
  return execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** The lines that differ, as git shows them; empty if there are none. */
function difference(before: string, after: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'compare-goldens-'))
  const files = [join(folder, 'before'), join(folder, 'after')] as const
  try {
    writeFileSync(files[0], `${before}\n`)
    writeFileSync(files[1], `${after}\n`)
    const shown = ['diff', '--no-index', '--unified=0', ...files]
    // git diff exits 1 if the files differ
    execFileSync('git', shown, { encoding: 'utf8', stdio: 'pipe' })
    return ''
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && typeof error.stdout === 'string')) throw error
    return error.stdout.slice(error.stdout.indexOf('@@'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const [ref = 'main'] = process.argv.slice(2)
  const goldens = [...goldenFiles(ref), ...generatedParts(ref)]
  const reworded = goldens.filter(({ before, after }) => before !== after)
  const changed = reworded.filter(({ before, after }) => masked(before) !== masked(after))
  for (const { name, before, after } of changed)
    console.log(`${name}\n${difference(masked(before), masked(after))}`)
  console.log(
    `${goldens.length} texts compared with ${ref}: ${reworded.length} differ, ${changed.length} in more than wording.`,
  )
  process.exitCode = changed.length === 0 ? 0 : 1
}

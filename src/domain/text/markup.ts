import { createHash } from 'node:crypto'

/** Matches characters that XML 1.0 cannot hold, not even escaped. */
const impossible = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // XML parsers would convert a bare carriage return to a newline.
  '\r': '&#13;',
}

/** Escapes a text for XML. Characters that XML cannot hold are written out: `\u0000`. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(
      impossible,
      (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll(/[&<>"\r]/g, (character) => xmlEntities[character] ?? '')

/** Builds an XML element.
 *  @param inside XML that is already escaped */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[] = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`)
  const open = `<${name}${written.join('')}`
  return inside.length === 0 ? `${open}/>` : `${open}>${inside.join('\n')}</${name}>`
}

/** Escapes the value of an XML attribute: a parser would convert tabs and newlines to spaces. */
const attribute = (text: string): string => xmlText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

/** A report as one self-contained HTML page that loads and runs nothing, whatever texts it contains. */
export function htmlDocument({
  title,
  style,
  main,
  pictures = false,
}: {
  /** Plain text. */
  title: string
  style: string
  /** HTML. */
  main: string
  /** Whether it has pictures, as `data:` URLs; default: no. */
  pictures?: boolean
}): string {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...(pictures ? ['img-src data:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const head =
    '<meta charset="utf-8"/>' +
    `<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}"/>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>' +
    `<title>${escaped(title)}</title><style>${style}</style>`
  return `<!doctype html>\n<html lang="en"><head>${head}</head><body>${main}</body></html>\n`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

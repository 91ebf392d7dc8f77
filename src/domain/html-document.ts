import { createHash } from 'node:crypto'

/** A report as one page that needs nothing else. Nothing is loaded and nothing runs, whatever its texts say.
 *  @param title plain text
 *  @param main HTML */
export function htmlDocument({ title, style, main }: { title: string; style: string; main: string }): string {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
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

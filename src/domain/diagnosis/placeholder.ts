const words = new Set(['undefined', 'null', 'none', 'nil', 'nan', 'false', 'true', 'changeme', 'xxx', '...'])

/** Whether a value looks like what a program sends when the real one was never put in its place. */
export function isPlaceholder(value: string): boolean {
  return (
    words.has(value.toLowerCase()) ||
    /^\[object \w+\]$/.test(value) ||
    /^(?:\$\{?[a-z_][\w.-]*\}?|\{\{?\s*[\w.-]+\s*\}?\}|<[\w .-]+>|%[a-z_]\w*%|:[a-z_]\w*)$/i.test(value)
  )
}

/** Minutes east of UTC, from a text that `utcOffset` accepts. */
export function offsetMinutes(text: string): number {
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4, 6))
  return text.startsWith('-') ? -minutes : minutes
}

/** Whether a value has names and values of its own. */
export function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

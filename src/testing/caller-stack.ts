/** Makes the stack of an error begin where the library was called: a test runner shows the first line of it, and that
 *  should be the test's. */
export function startAtCaller(error: Error): void {
  const stack = error.stack ?? ''
  const start = stack.indexOf(firstFrame)
  if (start < 0) return
  const frames = stack.slice(start + 1).split('\n')
  const callers = frames.filter((frame) => !frame.includes(ownFolder) && !frame.includes('node:internal/'))
  // What was called without being awaited has no caller any more.
  const told = callers.length > 0 ? callers : frames
  error.stack = [`${error.name}: ${error.message}`, ...told].join('\n')
}

const firstFrame = '\n    at '

/** Where the library's own files lie, as stacks tell it: this module's folder, or that of the bundle it became. */
const ownFolder = folderOf(new Error().stack?.split('\n')[1] ?? '')

/** Of `at name (file:///folder/file.js:1:2)`, or the same without a name. */
function folderOf(frame: string): string {
  return /([^\s(]*[\\/])[^\\/]+:\d+:\d+\)?$/.exec(frame)?.[1] ?? '(unknown)'
}

import { garbageCollector } from '../../src/cli/serve/small-heap.ts'

/** What is still needed of what is kept outside of the heap, in bytes. */
export function bytesOutsideOfHeap(): number {
  const collect = garbageCollector()
  collect()
  // Another thread gives back what one collection has found, as late as it likes. The next one waits for it.
  collect()
  return process.memoryUsage().arrayBuffers
}

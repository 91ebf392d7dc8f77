import { storeConformance } from './conformance.ts'
import { memoryStore } from './memory/store.ts'

storeConformance('a store of maps', async () => {
  const store = memoryStore()
  return { store, dispose: () => store.close() }
})

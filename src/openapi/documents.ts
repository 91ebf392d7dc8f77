// All that makes documents, to be loaded in one piece.

export { referencePage } from '../pages/reference/page.tsx'
export { referenceStyle } from '../pages/reference/style.ts'
export { controlDocument } from './control-document.ts'
export { described } from './described.ts'
export { serviceDocument } from './service-document.ts'

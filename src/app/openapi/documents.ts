// Everything that builds documents, to be loaded in one piece.

export { referencePage } from '../../pages/reference/page.tsx'
export { referenceStyle } from '../../pages/reference/style.ts'
export { controlDocument } from './control.ts'
export { described } from './head.ts'
export { serviceDocument } from './service.ts'

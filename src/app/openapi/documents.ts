// Modules that build documents, gathered so that a single `import()` loads them.

export { referencePage } from '../../pages/reference/page.tsx'
export { referenceStyle } from '../../pages/reference/style.ts'
export { controlDocument } from './control.ts'
export { described } from './head.ts'
export { serviceDocument } from './service.ts'

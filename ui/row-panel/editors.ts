/** Views of a document that need the library of editors (ui/state/later.ts). */
export { JsonEditor } from '../json/json-editor.tsx'
export { LongText } from '../json/long-text.tsx'
export { CompareDialog } from './compare-dialog.tsx'

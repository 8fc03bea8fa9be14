/** Sheets over the window: one file, because many small ones are slower to load (ui/state/later.ts). */
export { ConnectionForm } from '../connections/connection-form.tsx'
export { NewConnection } from '../connections/new-connection.tsx'
export { ProjectSaveSheet } from '../connections/project-save-sheet.tsx'
export { ProjectSheet } from '../connections/project-sheet.tsx'
export { RemoveConnection } from '../connections/remove-connection.tsx'
export { OfferSheet } from '../requests/offer-sheet.tsx'
export { VariablesSheet } from '../requests/variables-sheet.tsx'
export { Settings } from '../settings/settings.tsx'

/** Views that a start seldom shows: one file, because many small ones are slower to load (ui/state/later.ts). */
export { ConsoleView } from '../../console/console-tab.tsx'
export { DiagramView } from '../../diagram/diagram-tab.tsx'
export { FactsView } from '../../facts/facts-tab.tsx'
export { TableFormView } from '../../table-form/table-form-tab.tsx'
export { TablesView } from '../../tables/tables-tab.tsx'

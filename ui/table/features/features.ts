import { createAroundFeature } from './around-feature.ts'
import { createBeside } from './beside.ts'
import { createCellFeature } from './cell-feature.tsx'
import { createClockFeature } from './clock-feature.ts'
import { createExportFeature } from './export-feature.tsx'
import type { TableContext, TableFeature } from './feature.ts'
import { createFieldsFeature } from './fields/fields-feature.tsx'
import { createFilterFeature } from './filter-feature.ts'
import { createGoToFeature } from './go-to-feature.tsx'
import { createHideFeature } from './hide-feature.tsx'
import { createHoverFilterFeature } from './hover-filter-feature.tsx'
import { createImportFeature } from './import-feature.tsx'
import { createInsertFeature } from './insert-feature.tsx'
import { createLevelFeature } from './level-feature.tsx'
import { createReferencesFeature } from './references/references-feature.tsx'
import { createRowFeature } from './row/row-feature.tsx'
import { createUnfoldFeature } from './row/unfold-feature.tsx'
import { createSimilarFeature } from './similar-feature.tsx'
import { createStatisticsFeature } from './statistics-feature.tsx'
import { createTraceFeature } from './trace-feature.tsx'

/** The features of a table. A new one is one line here. Its commands have the places of this order in the menu. */
export function createTableFeatures({ tab, table }: Omit<TableContext, 'beside'>) {
	const beside = createBeside({
		isShown: () => tab.isShown,
		isTyping: () => tab.tab.isTyping(),
		say: table.selected.say,
	})
	const context: TableContext = { tab, table, beside }
	const goTo = createGoToFeature(context)
	const insert = createInsertFeature(context)
	const exporting = createExportFeature(context)
	const importing = createImportFeature(context)
	const similar = createSimilarFeature(context)
	const all: readonly TableFeature[] = [
		createFilterFeature(context),
		createFieldsFeature(context),
		createHoverFilterFeature(context),
		createAroundFeature(context),
		createTraceFeature(context),
		createClockFeature(context),
		createLevelFeature(context),
		createStatisticsFeature(context),
		similar,
		createHideFeature(context),
		createRowFeature(context),
		createUnfoldFeature(context),
		createReferencesFeature(context),
		exporting,
		createCellFeature(context),
		insert,
		importing,
		goTo,
	]
	return { all, beside, goTo, insert, exporting, importing, similar }
}

import type { TableContext, TableFeature } from './feature.ts'

/** Names the zone of the times in the header of a column that shows them without their dates. */
export function createClockFeature({ table }: TableContext): TableFeature {
	return {
		headerMark(column) {
			const short = table.short()
			if (short?.name !== column.name) return undefined
			return { note: short.note, words: `times${short.note && ` in ${short.note}`}, with their dates on hover` }
		},
	}
}

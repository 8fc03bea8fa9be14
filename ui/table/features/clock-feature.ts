import type { TableContext, TableFeature } from './feature.ts'

/** Names the zone of the times in the header of a column that shows them without it. */
export function createClockFeature({ table }: TableContext): TableFeature {
	return {
		headerMark(column) {
			const short = table.short()
			if (short?.name !== column.name) return undefined
			const zone = short.note && ` in ${short.note}`
			return { note: short.note, words: short.hasDay ? `times${zone}` : `times${zone}, with their dates on hover` }
		},
	}
}

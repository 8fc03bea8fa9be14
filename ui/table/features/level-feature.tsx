import { createMemo } from 'solid-js'
import { cellOf, cellText } from '../../cells/cell-text.ts'
import type { Mark } from '../../grid/feature.ts'
import { isLevelColumn, type Level, levelOf } from '../histogram/part-colours.ts'
import type { TableContext, TableFeature } from './feature.ts'

const marks: Readonly<Record<Level, Mark>> = {
	error: { classList: { 'level-error': true } },
	warning: { classList: { 'level-warning': true } },
	info: { classList: { 'level-info': true } },
	debug: { classList: { 'level-debug': true } },
}

/** Marks the edge of each row of a log with the colour that its level has in the chart above. */
export function createLevelFeature({ table: { rows } }: TableContext): TableFeature {
	const index = createMemo(() => rows.columns().findIndex(isLevelColumn))
	return {
		rowMark(row) {
			if (index() < 0) return undefined
			const level = levelOf(cellText(cellOf(row, index())).text)
			return level && marks[level]
		},
	}
}

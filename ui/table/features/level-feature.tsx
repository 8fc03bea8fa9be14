import { createMemo } from 'solid-js'
import { cellOf, cellText } from '../../cells/cell-text.ts'
import type { CellMark, Mark } from '../../grid/feature.ts'
import { isLevelColumn, type Level, levelOf } from '../histogram/part-colours.ts'
import type { TableContext, TableFeature } from './feature.ts'

const marks: Readonly<Record<Level, Mark>> = {
	error: { classList: { 'level-error': true } },
	warning: { classList: { 'level-warning': true } },
	info: { classList: { 'level-info': true } },
	debug: { classList: { 'level-debug': true } },
}

const loud: CellMark = { classList: { 'is-error': true } }
const care: CellMark = { classList: { 'is-warning': true } }
const calm: CellMark = { classList: { quiet: true } }
const wordMarks: Readonly<Record<Level, CellMark>> = { error: loud, warning: care, info: calm, debug: calm }

const isStatusColumn = (name: string) => /(^|[._])(status|status_code|response_code)$/i.test(name)
/** Classes of HTTP (RFC 9110, section 15). */
const statusMarks: Readonly<Record<string, CellMark>> = { 2: calm, 3: calm, 4: care, 5: loud }

/**
 * Marks the edge of each row of a log with the colour that its level has in the chart above. Words of levels and status
 * codes of HTTP are marked by how bad they are.
 */
export function createLevelFeature({ table: { rows, isInTime } }: TableContext): TableFeature {
	const index = createMemo(() => rows.columns().findIndex(isLevelColumn))
	return {
		rowMark(row) {
			if (index() < 0) return undefined
			const level = levelOf(cellText(cellOf(row, index())).text)
			return level && marks[level]
		},
		cellMark(row, { column, index: at }) {
			if (!isInTime()) return undefined
			if (at === index()) {
				const level = levelOf(cellText(cellOf(row, at)).text)
				return level && wordMarks[level]
			}
			if (!isStatusColumn(column.name)) return undefined
			const { text } = cellText(cellOf(row, at))
			return /^[1-5]\d\d$/.test(text) ? statusMarks[text.charAt(0)] : undefined
		},
	}
}

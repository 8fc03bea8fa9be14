import type { FactSection } from '../../host/api/api.ts'
import { count as number } from '../words/format.ts'

/** A driver may report a hundred sections of ten thousand rows. Drawing all of them would block the window. */
const mostCells = 5_000

/** Returns the part of a section that is drawn, with a notice if that is not all. */
export function drawnOf(section: FactSection): FactSection {
	const { facts, list } = section
	const rows = list && Math.max(1, Math.floor(mostCells / Math.max(1, list.columns.length)))
	return {
		...section,
		...noticeOf(section.notice, [cut(facts?.length, mostCells / 2, 'facts'), cut(list?.rows.length, rows, 'rows')]),
		...(facts && { facts: facts.slice(0, mostCells / 2) }),
		...(list && {
			list: {
				columns: list.columns,
				rows: list.rows.slice(0, rows).map(row => ({ ...row, cells: row.cells.slice(0, list.columns.length) })),
			},
		}),
	}
}

function cut(count = 0, most = 0, what: string): string {
	return count > most ? `Only the first ${number(most)} of ${number(count)} ${what} are shown.` : ''
}

function noticeOf(own = '', cuts: readonly string[]): Pick<FactSection, 'notice'> {
	const notice = [own, ...cuts].filter(text => text !== '').join(' ')
	return notice === '' ? {} : { notice }
}

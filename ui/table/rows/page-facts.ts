import { createSignal } from 'solid-js'
import type { Cannot, Column, Count, GridPage, Reference } from '../../../host/api/api.ts'
import { learnUniform, type Uniform } from '../../grid/columns/uniform.ts'

/** Each page says all of these again. What is equal must not draw the window again. */
const isSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Returns columns with the objects of those that did not change, so that only what reads a changed one runs again. */
function keepEqual(columns: readonly Column[], known: readonly Column[]): readonly Column[] {
	const before = new Map(known.map(column => [column.name, column]))
	return columns.map(column => {
		const former = before.get(column.name)
		return former && isSameJson(former, column) ? former : column
	})
}

/** What the latest page says about the rows of its query. */
export function createPageFacts() {
	const [columns, setColumns] = createSignal<readonly Column[]>([])
	let columnsJson = ''
	const [total, setTotal] = createSignal<Count | undefined>(undefined, { equals: isSameJson })
	const [uniform, setUniform] = createSignal<Uniform>()
	const [references, setReferences] = createSignal<readonly Reference[]>([])
	const [referrers, setReferrers] = createSignal<readonly Reference[]>([])
	const [cannot, setCannot] = createSignal<Cannot>({})
	const [notices, setNotices] = createSignal<readonly string[]>([], { equals: isSameJson })
	const [tookMs, setTookMs] = createSignal<number>()
	const [request, setRequest] = createSignal<string>()

	/** @param isFirstPage of a query */
	function receive(page: GridPage, isFirstPage: boolean): void {
		const json = JSON.stringify(page.columns)
		if (json !== columnsJson) setColumns(keepEqual(page.columns, columns()))
		columnsJson = json
		if (isFirstPage) {
			setReferences(page.references ?? [])
			setReferrers(page.referrers ?? [])
			setCannot(page.cannot ?? {})
			setRequest(page.request)
		}
		setUniform(known => learnUniform(known, { columns: page.columns, rows: page.rows, isFirstPage }))
		setTotal(page.total)
		setNotices(page.notices)
		setTookMs(page.tookMs)
	}

	return {
		receive,
		seen: {
			columns,
			/** Columns with one value in every row of the first page. */
			uniform,
			/** Columns that refer to rows of other tables. */
			references,
			/** Rows of other tables that refer to these. */
			referrers,
			/** Changes that the table never takes, if the list of tables does not say so. */
			cannot,
			total,
			notices,
			tookMs,
			/** The request of the first page, as the console takes it. */
			request,
		},
	}
}

import { createContext, For, type JSX, Show, useContext } from 'solid-js'
import type { Column, Filter, GridPage, Reference } from '../../../host/api/api.ts'
import { copyText } from '../../cells/cell-text.ts'
import { useHost } from '../../state/host.tsx'
import { operatorsFor } from '../filter/filters.ts'
import { createSuggestions } from '../filter/suggest-values.ts'
import { OpenQuery } from '../rows/open-query.ts'

/** A row that a value can refer to: the value, and what people know the row by. */
interface ReferredRow {
	readonly value: string
	readonly words: string
}

interface Referring {
	/** Whether values of the column refer to rows of a table. */
	isReference(column: string): boolean
	/** Returns rows that fit a typed text. Never rejects: a value can be typed without them. */
	look(column: Pick<Column, 'name'>, typed: string, signal: AbortSignal): Promise<readonly ReferredRow[]>
}

const ReferringContext = createContext<Referring>()

/** Lets the editors inside offer the rows that a value may refer to. */
export function ReferringProvider(props: {
	readonly connection: string
	readonly references: readonly Reference[]
	readonly children: JSX.Element
}): JSX.Element {
	const host = useHost()
	const find = (name: string) =>
		props.references.find(({ columns: [column, ...others] }) => column === name && others.length === 0)
	const known = new Map<string, readonly Column[]>()

	async function read(table: string, filters: readonly Filter[], signal: AbortSignal): Promise<GridPage> {
		const query = { table, filters, match: 'any', sort: [] } as const
		const open = new OpenQuery(host, { connection: props.connection, query, firstRows: mostRows })
		const close = () => open.close()
		signal.addEventListener('abort', close, { once: true })
		try {
			return await open.first
		} finally {
			signal.removeEventListener('abort', close)
			close()
		}
	}

	const referring: Referring = {
		isReference: name => find(name) !== undefined,
		async look({ name }, typed, signal) {
			const reference = find(name)
			const key = reference?.to[0]
			if (!reference || key === undefined) return []
			const { table } = reference
			try {
				const text = typed.trim()
				const columns = known.get(table)
				const first = columns === undefined || text === '' ? await read(table, [], signal) : undefined
				if (first) known.set(table, first.columns)
				const filters = filtersFor(columns ?? first?.columns ?? [], key, text)
				if (first && filters.length === 0) return referredRows(first, key)
				return referredRows(await read(table, filters, signal), key)
			} catch {
				return []
			}
		},
	}
	return <ReferringContext.Provider value={referring}>{props.children}</ReferringContext.Provider>
}

const mostRows = 20
const longestWords = 80

/** The columns that people know a row by. */
const wordColumns = (columns: readonly Column[], key: string) =>
	columns.filter(({ name, kind, isKey }) => kind === 'text' && !isKey && name !== key).slice(0, 2)

/** Conditions, one of which a row fits whose key or first text is typed. */
function filtersFor(columns: readonly Column[], key: string, text: string): readonly Filter[] {
	if (text === '') return []
	const keyColumn = columns.find(({ name }) => name === key)
	const [words] = wordColumns(columns, key)
	const filters: Filter[] = []
	if (keyColumn?.kind === 'text') filters.push({ column: key, operator: 'starts_with', values: [text] })
	else if (/^-?\d+$/.test(text)) filters.push({ column: key, operator: 'equals', values: [text] })
	if (words && operatorsFor(words).some(([operator]) => operator === 'contains'))
		filters.push({ column: words.name, operator: 'contains', values: [text] })
	return filters
}

function referredRows({ columns, rows }: GridPage, key: string): readonly ReferredRow[] {
	const at = (name: string) => columns.findIndex(column => column.name === name)
	const words = wordColumns(columns, key).map(({ name }) => at(name))
	return rows.map(({ cells }) => ({
		value: copyText(cells[at(key)] ?? null),
		words: words
			.map(index => copyText(cells[index] ?? null).slice(0, longestWords))
			.filter(text => text !== '')
			.join(', '),
	}))
}

/** Returns the id for the attribute `list` of an input, if values of the column refer to rows. */
export function useReferredList(column: string, id: string): string | undefined {
	return useContext(ReferringContext)?.isReference(column) ? id : undefined
}

/** The rows that the value of an input may refer to. @param props.typed `undefined` while nothing is to be read */
export function ReferredList(props: {
	readonly id: string
	readonly column: Pick<Column, 'name'>
	readonly typed: string | undefined
}): JSX.Element {
	const referring = useContext(ReferringContext)
	const rows = createSuggestions(
		{
			get target() {
				return referring?.isReference(props.column.name) ? props.column : undefined
			},
			suggest: async (column, typed, signal) => (await referring?.look(column, typed, signal)) ?? [],
		},
		() => props.typed,
	)
	return (
		<Show when={referring?.isReference(props.column.name)}>
			<datalist id={props.id}>
				<For each={rows.value() ?? []}>{({ value, words }) => <option value={value} label={words} />}</For>
			</datalist>
		</Show>
	)
}

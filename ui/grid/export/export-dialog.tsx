import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import type { ExportOptions, ExportState, GridQuery } from '../../../host/api/api.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Notice } from '../../controls/notice.tsx'
import { ProgressBar } from '../../controls/progress-bar.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { createTask } from '../../state/task.ts'
import { capital, count, countText } from '../../words/format.ts'
import type { SelectedRows } from '../sheet/selected-rows.ts'
import { SelectionWork } from '../sheet/selection-work.tsx'

type Scope = 'shown' | 'all' | 'selection'

/** Exports whole rows as a download: the selected ones if they are several, else what the filters show, or all. */
export function ExportDialog(props: {
	readonly connection: string
	readonly query: GridQuery
	readonly isFiltered: boolean
	readonly columns: readonly string[]
	/** The selected rows, read on demand. */
	readonly selected: SelectedRows
	readonly selectedCount: number
	/** Everything visible is selected, so rows need not be listed. */
	readonly isAllSelected: boolean
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun, exports } = useEngine()
	const formats: readonly (readonly [id: string, label: string])[] = [
		['ndjson', `NDJSON, one ${rowNoun.one} a line`],
		['json', 'JSON, one array'],
		['csv', 'CSV, the columns of the grid'],
		...exports.map(({ id, label }) => [id, label] as const),
	]
	const [format, setFormat] = createSignal('ndjson')
	const [scope, setScope] = createSignal<Scope>(
		props.selectedCount > 1 ? 'selection' : props.isFiltered ? 'shown' : 'all',
	)
	const query = (): GridQuery => {
		const { raw: _, ...unfiltered } = props.query
		return scope() === 'all' ? { ...unfiltered, filters: [] } : props.query
	}
	const counting = createTask((call, query: GridQuery) =>
		host.call('rows.count', { connection: props.connection, query }, call),
	)
	createEffect(on(scope, scope => scope === 'selection' || void counting.run(query())))
	/** How many rows will be exported, in words. */
	const size = () => {
		const words = (text: string, value: number) =>
			`${text} ${value === 1 ? rowNoun.one : rowNoun.many} will be exported.`
		if (scope() === 'selection') return words(count(props.selectedCount), props.selectedCount)
		if (counting.error() !== undefined) return `The number of ${rowNoun.many} is not known.`
		const found = counting.isRunning() ? undefined : counting.value()
		return found ? words(capital(countText(found)), found.value) : 'Counting …'
	}
	const [isGuarded, setGuarded] = createSignal(true)
	const [state, setState] = createSignal<ExportState>()
	let running: string | undefined
	onCleanup(host.on('export.changed', changed => changed.id === running && setState(changed)))

	async function start(): Promise<void> {
		if (scope() !== 'selection' || props.isAllSelected) await beginning.run(undefined)
		else await props.selected.use('exported', async rows => void (await beginning.run(rows.map(row => row.id))))
	}

	const beginning = createTask(async (call, rowIds: readonly string[] | undefined) => {
		setState(undefined)
		const options: ExportOptions = {
			format: format(),
			...(format() === 'csv' && { columns: props.columns, guardFormulas: isGuarded() }),
			...(rowIds && { rowIds }),
		}
		const asked = { connection: props.connection, query: query(), options }
		const { id } = await host.call('exports.begin', asked, call)
		running = id
		setState({ id, table: asked.query.table, state: 'running', rows: 0 })
		const link = document.createElement('a')
		link.href = `export/${id}`
		link.download = ''
		link.click()
	})
	const cancelling = createTask((_, id: string) => host.call('exports.cancel', { id }))

	const isRunning = () => state()?.state === 'running'
	const words = () => {
		const { state: how, rows = 0, message } = state() ?? {}
		if (how === 'done') return { kind: 'info' as const, text: `Exported ${count(rows)} ${rowNoun.many}.` }
		if (how === 'cancelled') return { kind: 'info' as const, text: 'Cancelled. No file was saved.' }
		return how === 'failed' ? { kind: 'error' as const, text: `The export failed: ${message}` } : undefined
	}

	return (
		<Dialog title={`Export ${props.query.table}`} onClose={props.onClose}>
			<div class="dialog-body">
				<div class="field">
					<label for="export-format">Format</label>
					<select id="export-format" value={format()} onChange={event => setFormat(event.currentTarget.value)}>
						<For each={formats}>{([value, label]) => <option value={value}>{label}</option>}</For>
					</select>
				</div>
				<div class="field">
					<label for="export-scope">{capital(rowNoun.many)}</label>
					<select id="export-scope" value={scope()} onChange={event => setScope(event.currentTarget.value as Scope)}>
						<option value="all">All</option>
						<option value="shown">What the filters show</option>
						<option value="selection">The {count(props.selectedCount)} selected</option>
					</select>
					<span class="field-help" role="status">
						{size()}
					</span>
				</div>
				<Show when={format() === 'csv'}>
					<label class="option">
						<input type="checkbox" checked={isGuarded()} onChange={event => setGuarded(event.currentTarget.checked)} />
						Put ' before text that a spreadsheet would run as a formula
					</label>
				</Show>
				<Show when={isRunning() && state()}>
					{current => {
						const { rows, total } = current()
						return (
							<ProgressBar
								progress={{ done: rows, ...(total !== undefined && { total }) }}
								unit={rowNoun.many}
								label="Exporting"
							/>
						)
					}}
				</Show>
				<SelectionWork selected={props.selected} />
				<Show when={words()}>{said => <Notice kind={said().kind}>{said().text}</Notice>}</Show>
				<Show when={beginning.error() ?? cancelling.error()}>
					{message => <Notice kind="error">{message()}</Notice>}
				</Show>
			</div>
			<footer class="dialog-foot">
				<Show
					when={isRunning()}
					fallback={
						<button type="button" class="button" onClick={() => props.onClose()}>
							Close
						</button>
					}
				>
					<button type="button" class="button" onClick={() => running !== undefined && void cancelling.run(running)}>
						Cancel
					</button>
				</Show>
				<button type="button" class="button primary" disabled={isRunning()} onClick={() => void start()}>
					Export
				</button>
			</footer>
		</Dialog>
	)
}

import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, Show } from 'solid-js'
import { Failure } from '../../../controls/failure.tsx'
import { FieldsView } from '../../../row-panel/fields-view.tsx'
import { useEngine } from '../../../state/engine.tsx'
import { useHost } from '../../../state/host.tsx'
import { createTask } from '../../../state/task.ts'
import { capital } from '../../../words/format.ts'
import { keysText } from '../../../words/keys.ts'
import type { TableContext, TableFeature } from '../feature.ts'
import { valueUses } from './value-actions.ts'

const key = 'Shift+Enter'

/** The fields of one row of a log, unfolded below it. It stays with its row until that is folded or not loaded any more. */
export function createUnfoldFeature(context: TableContext): TableFeature {
	const { target, rows, sheet, place, scrolling, columns, isInTime } = context.table
	const { rowNoun, columnNoun } = useEngine()
	const host = useHost()
	const [id, setId] = createSignal<string>()
	const found = createMemo(() => {
		const unfolded = id()
		return unfolded === undefined ? undefined : rows.find(unfolded)
	})
	const index = createMemo(() => {
		const row = found()
		return row && sheet.find(row.id)?.index
	})
	const whole = createTask((call, rowId: string) => host.call('rows.read', { ...target, rowId }, call))
	createEffect(
		on(found, row => {
			if (row) void whole.run(row.id)
			else whole.cancel()
		}),
	)
	const read = () => (whole.value()?.id === id() ? whole.value() : undefined)
	const [height, setHeight] = createSignal(0)
	const isShown = () => index() !== undefined && (read() !== undefined || whole.error() !== undefined)
	const block = createMemo(() => {
		const row = index()
		return isShown() && row !== undefined ? { row, height: height() } : undefined
	})
	createEffect(() => scrolling.setBlock(block()))
	function toggle(row: number): void {
		const asked = row < sheet.insertedCount() ? undefined : sheet.at(row)?.id
		setId(before => (before === asked ? undefined : asked))
	}
	function measure(element: HTMLElement): void {
		let isMeasured = false
		const observer = new ResizeObserver(() => {
			setHeight(element.offsetHeight)
			// After the space for all rows has its new height.
			if (!isMeasured) queueMicrotask(scrolling.revealBlock)
			isMeasured = true
		})
		observer.observe(element)
		onCleanup(() => observer.disconnect())
	}
	const isUnfolded = (row: number) => (isInTime() ? index() === row : undefined)
	const word = (row: number) => `${isUnfolded(row) ? 'Fold' : 'Unfold'} the ${rowNoun.one}`
	return {
		unfolding: {
			isUnfolded,
			tip: row => (isInTime() ? `${word(row)} (${keysText(key)})` : undefined),
			toggle,
		},
		commands: [
			{
				id: 'grid.unfold',
				title: `Unfold or fold the ${rowNoun.one}`,
				keys: [key],
				section: 'row',
				isRare: true,
				isAvailable: isInTime,
				run: () => toggle(place.selection().focus.row),
			},
		],
		overRows: (): JSX.Element => (
			<Show when={isShown()}>
				<div
					class="grid-block"
					role="row"
					style={{ top: `${scrolling.rowTop(index() ?? 0) + scrolling.rowHeight()}px` }}
					// Keys and pointer are for what is in it.
					onKeyDown={event => {
						event.stopPropagation()
						if (event.key === 'Escape') place.toGrid()
					}}
					onMouseDown={event => event.stopPropagation()}
					onDblClick={event => event.stopPropagation()}
					onContextMenu={event => event.stopPropagation()}
				>
					<div
						ref={measure}
						class="grid-block-view"
						role="gridcell"
						aria-colindex={1}
						aria-colspan={columns.count()}
						style={{ width: `${scrolling.size().width}px`, 'padding-left': `${columns.gutter()}px` }}
					>
						<Show when={read()} fallback={<Failure of={whole} />}>
							{row => (
								<FieldsView
									label={`${capital(columnNoun.many)} of the unfolded ${rowNoun.one}`}
									bytes={row().raw}
									headline={undefined}
									uses={valueUses(context)}
								/>
							)}
						</Show>
					</div>
				</div>
			</Show>
		),
	}
}

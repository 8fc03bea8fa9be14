import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import type { ChangedRows, Effect, TableEffect } from '../../host/api/api.ts'
import { useNouns } from '../state/engine.tsx'
import { capital, count, counted } from '../words/format.ts'
import { isNamedIn, shortName } from '../words/table-name.ts'
import { Segmented } from './segmented.tsx'

/** What a statement does to rows, found before it runs: rows by table, and some of them before and after. */
export function EffectView(props: {
	readonly effect: Effect
	/** The statements that do it. */
	readonly text: string
}): JSX.Element {
	const { tableNoun, rowNoun } = useNouns()
	const lost = ({ updated, deleted }: TableEffect) => Number(updated + deleted > 0)
	/**
	 * Those that lose rows come before those that only get some, for example of a trigger. Of them, those of the statement
	 * come before those of its cascades.
	 */
	const tables = createMemo(() => {
		const named = new Set(props.effect.tables.filter(({ table }) => isNamedIn(props.text, table)))
		const isNamed = (table: TableEffect) => Number(named.has(table))
		return props.effect.tables.toSorted((a, b) => lost(b) - lost(a) || isNamed(b) - isNamed(a))
	})
	const seen = createMemo(() =>
		tables().flatMap(({ table, inserted, updated, deleted, rows }) =>
			rows && rows.changes.length > 0 ? [{ table, count: inserted + updated + deleted, rows }] : [],
		),
	)
	const [chosen, setChosen] = createSignal<string>()
	const front = () => seen().find(({ table }) => table === chosen()) ?? seen()[0]
	return (
		<section class="effect" aria-label="What happens">
			<h3>
				What happens <small class="quiet">checked just now, nothing was changed</small>
			</h3>
			<Show when={props.effect.tables.length > 0} fallback={<p class="quiet">No row is added, changed or deleted.</p>}>
				<table class="effect-counts">
					<thead>
						<tr>
							<th scope="col">{tableNoun.one}</th>
							<th scope="col">Added</th>
							<th scope="col">Changed</th>
							<th scope="col">Deleted</th>
						</tr>
					</thead>
					<tbody>
						<For each={tables()}>
							{table => (
								<tr>
									<th scope="row">{table.table}</th>
									<Count of={table.inserted} />
									<Count of={table.updated} />
									<Count of={table.deleted} isLoss />
								</tr>
							)}
						</For>
					</tbody>
				</table>
				<Show when={front()} keyed>
					{shown => (
						<RowsView {...shown}>
							<Show when={seen().length > 1}>
								<Segmented
									label={`${tableNoun.one} whose ${rowNoun.many.toLowerCase()} are shown`}
									options={seen().map(one => ({
										id: one.table,
										label: `${shortName(one.table)}, ${count(one.count)}`,
									}))}
									value={shown.table}
									onChange={setChosen}
								/>
							</Show>
						</RowsView>
					)}
				</Show>
			</Show>
		</section>
	)
}

function Count(props: { readonly of: number; readonly isLoss?: boolean }): JSX.Element {
	return (
		<td classList={{ quiet: props.of === 0, 'effect-loss': props.isLoss === true && props.of > 0 }}>
			{count(props.of)}
		</td>
	)
}

/** Some of the changed rows of a table, before and after. */
export function RowsView(props: {
	readonly table: string
	/** How many rows change. */
	readonly count: number
	readonly rows: ChangedRows
	/** Beside the title. */
	readonly children?: JSX.Element
}): JSX.Element {
	const { rowNoun } = useNouns()
	/** What changes stands beside the first column, which names the row: the others may be out of view. */
	const order = createMemo(() => {
		const isChanged = props.rows.columns.map(
			(_, at) => at > 0 && props.rows.changes.some(({ before, after }) => before && after && before[at] !== after[at]),
		)
		const indices = props.rows.columns.map((_, at) => at)
		return indices.toSorted((a, b) => Number(b === 0) - Number(a === 0) || Number(isChanged[b]) - Number(isChanged[a]))
	})
	/** Values have no type here. Numbers stand right, as in a grid. */
	const areNumbers = createMemo(() =>
		props.rows.columns.map((_, at) => {
			const values = props.rows.changes.flatMap(({ before, after }) => [before?.[at], after?.[at]])
			const known = values.filter(value => typeof value === 'string')
			return known.length > 0 && known.every(value => /^-?\d+(\.\d+)?$/.test(value))
		}),
	)
	const areGone = () => props.rows.changes.every(({ after }) => after === undefined)
	const areNew = () => props.rows.changes.every(({ before }) => before === undefined)
	const title = () =>
		areGone() ? `${capital(rowNoun.many)} that go` : areNew() ? `New ${rowNoun.many}` : 'Before and after'
	return (
		<Show when={props.rows.changes.length > 0}>
			<div class="effect-head">
				<h3>
					{title()}{' '}
					<small class="quiet">
						{count(props.rows.changes.length)} of {counted(props.count, rowNoun)} of {props.table}
					</small>
				</h3>
				{props.children}
			</div>
			<section class="effect-rows" tabindex={0} aria-label={`Rows of ${props.table}`}>
				<table>
					<thead>
						<tr>
							<For each={order()}>
								{at => (
									<th scope="col" classList={{ number: areNumbers()[at] }}>
										{props.rows.columns[at]}
									</th>
								)}
							</For>
						</tr>
					</thead>
					<tbody>
						<For each={props.rows.changes}>
							{({ before, after }) => (
								<tr classList={{ 'effect-goes': after === undefined, 'effect-comes': before === undefined }}>
									<For each={order()}>
										{at => (
											<td classList={{ number: areNumbers()[at] }}>
												{/* Where all rows go or come, the title tells it, and values without marks are easier to read. */}
												<Show
													when={areGone() || areNew()}
													fallback={<Value before={before?.[at]} after={after?.[at]} />}
												>
													<Text of={(before ?? after)?.[at]} />
												</Show>
											</td>
										)}
									</For>
								</tr>
							)}
						</For>
					</tbody>
				</table>
			</section>
		</Show>
	)
}

/** A value that stays, or the old one struck through and the new one marked. `undefined`: the row was or is not there. */
function Value(props: {
	readonly before: string | null | undefined
	readonly after: string | null | undefined
}): JSX.Element {
	return (
		<Show when={props.before !== props.after} fallback={<Text of={props.before} />}>
			<Show when={props.before !== undefined}>
				<del>
					<Text of={props.before} />
				</del>{' '}
			</Show>
			<Show when={props.after !== undefined}>
				<ins>
					<Text of={props.after} />
				</ins>
			</Show>
		</Show>
	)
}

/** The value null looks as in a grid, and not as the text `null`. */
function Text(props: { readonly of: string | null | undefined }): JSX.Element {
	return <>{props.of ?? <i class="quiet">null</i>}</>
}

import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import Folder from 'lucide-solid/icons/folder'
import TableOfContents from 'lucide-solid/icons/table-of-contents'
import { type JSX, Match, Show, Switch } from 'solid-js'
import type { DatabaseObject, FoundTable, Table, TableCondition } from '../../host/api/api.ts'
import { ColumnIcon } from '../controls/kind-icon.tsx'
import { count, rowCountText } from '../words/format.ts'
import { isToldByIcon, ObjectIcon, TableIcon } from './kind-icons.tsx'
import { type TableLine, type TablePart, textOfPart } from './table-lines.ts'

/** The lines of the list of tables: a level, a table, an object beside tables. */

export const titleOf = ({ name, title = name }: Table) => title
/** Where the arrow of a line stands, or would stand; its icon is beside it. */
const arrowLeft = (depth: number) => 18 + 16 * depth
const arrowWidth = 18

/** Attributes of a line for its keys. */
interface LineProps {
	readonly 'data-line': number
	readonly tabIndex: number
	onFocus(): void
}

/** Characters at the end of a name that stay visible, for example a day. */
const tailLength = 10
/** Characters of a name that has room beside a long count. */
const shortLength = 15

/** A name that keeps its end where it is too long for its line. */
export function NameText(props: { readonly name: string }): JSX.Element {
	const head = () => (props.name.length > shortLength ? props.name.slice(0, -tailLength) : '')
	return (
		<Show when={head() !== ''} fallback={<span class="table-text">{props.name}</span>}>
			{/* Its parts are read as one word, without a blank between them. */}
			<span class="table-text" role="img" aria-label={props.name}>
				<span class="table-text-head">{head()}</span>
				<span class="table-text-tail">{props.name.slice(-tailLength)}</span>
			</span>
		</Show>
	)
}

/** A line as a button. */
function Line(props: {
	readonly line: LineProps
	readonly depth: number
	/** Shown as a tooltip. */
	readonly whole: string
	readonly isActive?: boolean
	readonly hasArrow?: boolean
	/** Set if it unfolds. */
	readonly isOpen?: boolean
	onClick(): void
	readonly children: JSX.Element
}): JSX.Element {
	return (
		<button
			type="button"
			{...props.line}
			class="table-name"
			classList={{ active: props.isActive }}
			style={{ 'padding-left': `${arrowLeft(props.depth) + (props.hasArrow ? 0 : arrowWidth)}px` }}
			title={props.whole}
			aria-expanded={props.isOpen}
			onClick={() => props.onClick()}
		>
			{props.children}
		</button>
	)
}

export function LevelLine(props: {
	readonly line: LineProps
	readonly level: Extract<TableLine, { readonly kind: 'level' }>
	onToggle(): void
}): JSX.Element {
	return (
		<Line
			line={props.line}
			depth={props.level.depth}
			whole={props.level.title}
			hasArrow
			isOpen={props.level.isOpen}
			onClick={props.onToggle}
		>
			<Show when={props.level.isOpen} fallback={<ChevronRight size={12} class="level-arrow" />}>
				<ChevronDown size={12} class="level-arrow" />
			</Show>
			<Show when={props.level.isOfObjects} fallback={<Folder size={14} />}>
				<ObjectIcon of={{ kind: props.level.title.toLowerCase() }} />
			</Show>
			<span class="table-text">{props.level.title}</span>
			<span class="table-count">{count(props.level.count)}</span>
		</Line>
	)
}

/** Properties of a line that opens a tab. */
interface OpeningProps {
	readonly line: LineProps
	readonly depth: number
	/** Its tab is the active one. */
	readonly isActive: boolean
	onOpen(): void
}

export function TableName(
	props: OpeningProps & {
		readonly table: Table
		/** Set if it stands for several tables. */
		readonly series: FoundTable | undefined
		readonly isChanged: boolean
		readonly isUnfolded: boolean
		onUnfold(): void
	},
): JSX.Element {
	return (
		<>
			{/* For the mouse. Who uses keys or hears the window has the arrows and the state of the line. */}
			<button
				type="button"
				class="table-unfold"
				tabIndex={-1}
				aria-hidden="true"
				title={props.isUnfolded ? 'Fold' : 'Unfold'}
				style={{ left: `${arrowLeft(props.depth)}px` }}
				onClick={() => props.onUnfold()}
			>
				<Show when={props.isUnfolded} fallback={<ChevronRight size={12} />}>
					<ChevronDown size={12} />
				</Show>
			</button>
			<TableButton {...props} />
		</>
	)
}

function TableButton(
	props: OpeningProps & {
		readonly table: Table
		readonly series: FoundTable | undefined
		readonly isChanged: boolean
		readonly isUnfolded: boolean
	},
): JSX.Element {
	return (
		<Line
			line={props.line}
			depth={props.depth}
			whole={[props.table.name, props.table.kind, props.table.condition?.text].filter(Boolean).join('\n')}
			isActive={props.isActive}
			isOpen={props.isUnfolded}
			onClick={props.onOpen}
		>
			<TableIcon of={props.table} />
			<NameText name={titleOf(props.table)} />
			{/* A partition stands below its table. */}
			<Show
				when={props.depth > (props.table.path?.length ?? 0) ? undefined : (props.series?.detail ?? props.table.kind)}
			>
				{kind => <Kind of={kind()} isUnseen={props.series?.detail === undefined && isToldByIcon(props.table)} />}
			</Show>
			<Show when={props.table.condition}>{condition => <Condition of={condition()} />}</Show>
			<Show when={props.isChanged}>
				<span class="tab-dot" title="Changes not saved" />
			</Show>
			<Show when={props.table.rowCount !== undefined}>
				<span class="table-count" title={props.table.isRowCountEstimated ? 'An estimate of the engine' : undefined}>
					{rowCountText(props.table)}
				</span>
			</Show>
		</Line>
	)
}

/** A column or an index of an unfolded table. */
export function PartLine(props: {
	readonly line: LineProps
	readonly depth: number
	readonly part: TablePart
	onOpen(): void
}): JSX.Element {
	const column = () => (props.part.kind === 'column' ? props.part : undefined)
	const text = () => textOfPart(props.part)
	return (
		<Line
			line={props.line}
			depth={props.depth}
			whole={[text(), column()?.column.type].filter(Boolean).join(' ')}
			onClick={props.onOpen}
		>
			<Switch fallback={<span class="table-note-mark" />}>
				<Match when={column()}>
					{shown => <ColumnIcon column={shown().column} isReference={shown().isReference} />}
				</Match>
				<Match when={props.part.kind === 'index'}>
					<TableOfContents size={12} />
				</Match>
			</Switch>
			<span class="table-text" classList={{ quiet: props.part.kind !== 'column' }}>
				{text()}
			</span>
			<Show when={column()}>{shown => <Kind of={shown().column.type} />}</Show>
		</Line>
	)
}

/** The level often says the kind already: a `function` below `Functions`. */
export function ObjectName(props: OpeningProps & { readonly object: DatabaseObject }): JSX.Element {
	return (
		<Line
			line={props.line}
			depth={props.depth}
			whole={props.object.name}
			isActive={props.isActive}
			onClick={props.onOpen}
		>
			<ObjectIcon of={props.object} />
			<NameText name={props.object.title} />
			<Show when={!props.object.path.at(-1)?.toLowerCase().startsWith(props.object.kind)}>
				<Kind of={props.object.kind} />
			</Show>
		</Line>
	)
}

/** The kind of a table or an object. It shrinks before the name does. */
function Kind(props: { readonly of: string; readonly isUnseen?: boolean }): JSX.Element {
	return (
		<span classList={{ 'table-kind': !props.isUnseen, unseen: props.isUnseen }} title={props.of}>
			{props.of}
		</span>
	)
}

/** A word for a table that may not be read completely, else a mark. */
function Condition(props: { readonly of: TableCondition }): JSX.Element {
	return (
		<Show
			when={props.of.state !== 'warning'}
			fallback={<span class="condition-mark" role="img" aria-label="Needs attention" />}
		>
			<span class={`condition condition-${props.of.state}`}>
				{props.of.state === 'closed' ? 'closed' : 'unhealthy'}
			</span>
		</Show>
	)
}

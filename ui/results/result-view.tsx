import Copy from 'lucide-solid/icons/copy'
import Download from 'lucide-solid/icons/download'
import { createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { ConsoleResult, Fault, ResultPart } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { FactSectionView } from '../controls/fact-section.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { saveFile } from '../controls/save-file.ts'
import { Segmented } from '../controls/segmented.tsx'
import { JsonView } from '../json/json-view.tsx'
import { LongText } from '../json/long-text.tsx'
import { useEngine } from '../state/engine.tsx'
import { counted, bytes as sizeOf } from '../words/format.ts'
import { type Answer, answerOf, hasTitledParts, scopeOf, statusOf, type ResultView as View, viewsOf } from './answer.ts'
import { Chart } from './chart.tsx'
import type { ResultRows } from './chart-columns.ts'
import { chartOf } from './chart-points.ts'
import { copyCells, rowsOf, saveCells } from './copy-cells.ts'
import type { RowUses } from './origins.ts'
import { ResultGrid } from './result-grid.tsx'
import { createResultModel } from './result-model.ts'

const words: Readonly<Record<View, string>> = { rows: 'Rows', chart: 'Chart', json: 'JSON', text: 'Text' }

/** A result with how it is shown. */
export type ShownPart = ReturnType<typeof createPart>

export function createPart(part: Answer, uses: Pick<RowUses, 'edits' | 'sort'> = {}) {
	const engine = useEngine()
	const [chosen, setChosen] = createSignal<View>()
	const views = viewsOf(part)
	const answer = answerOf(part)
	const rows = part.body.view === 'rows' ? part.body : undefined
	return {
		part,
		views,
		view: () => chosen() ?? views[0] ?? 'text',
		setView: setChosen,
		/** The whole answer as it came. */
		answer,
		rows,
		/** What is shown, copied and saved. */
		model: rows && createResultModel(rows, engine, uses),
		chart: rows && chartOf(rows),
	}
}

/** The results of a statement below the first one's bar, and what else the engine said. */
export function ResultView(props: {
	readonly result: ConsoleResult
	/** The part that is shown first, or alone. */
	readonly first: ShownPart
	/** Adds a statement to the console. */
	onStatement(statement: string): void
	readonly uses: RowUses
}): JSX.Element {
	const { console, rowNoun } = useEngine()
	return (
		<>
			<Show when={props.result.fault}>{fault => <FaultNotice fault={fault()} />}</Show>
			<PartView shown={props.first} uses={props.uses} />
			<For each={hasTitledParts(props.result) ? [] : (props.result.more ?? [])}>
				{part => {
					const shown = createPart(part)
					return (
						<section class="result-part" aria-label={statusOf(part, rowNoun)}>
							<PartBar shown={shown}>
								<span class="quiet">{statusOf(part, rowNoun)}</span>
								<Affected part={part} />
							</PartBar>
							<PartView shown={shown} uses={props.uses} />
						</section>
					)
				}}
			</For>
			<For each={props.result.panels ?? []}>
				{panel => <FactSectionView section={panel} noun={console.noun.one} onConsole={props.onStatement} />}
			</For>
		</>
	)
}

/** `3 rows affected` */
export function Affected(props: { readonly part: ResultPart }): JSX.Element {
	const { rowNoun } = useEngine()
	return (
		<Show when={props.part.affected !== undefined}>
			<span class="quiet">{counted(props.part.affected ?? 0, rowNoun)} affected</span>
		</Show>
	)
}

/** The first line of the engine's message, with its code and its hint. Further lines unfold. */
export function FaultNotice(props: { readonly fault: Pick<Fault, 'message' | 'hint' | 'engineCode'> }): JSX.Element {
	const lines = () => props.fault.message.split('\n')
	const line = () => (
		<>
			<Show when={unsaidCode(props.fault)}>{code => <code class="fault-code">{code()}</code>}</Show>
			{lines()[0]}
			<Show when={props.fault.hint}>{hint => <span class="fault-hint">{hint()}</span>}</Show>
		</>
	)
	return (
		<Notice kind="error">
			<Show when={lines().length > 1} fallback={line()}>
				<details>
					<summary>{line()}</summary>
					<div>{lines().slice(1).join('\n')}</div>
				</details>
			</Show>
		</Notice>
	)
}

/** Copies rows for a spreadsheet, and saves them to a file. */
function RowTools(props: { readonly rows: ResultRows | undefined }): JSX.Element {
	const { rowNoun } = useEngine()
	return (
		<Show when={props.rows}>
			{rows => {
				const scope = () => scopeOf(rows(), rowNoun)
				return (
					<>
						<IconButton
							label={`Copy the ${scope()}`}
							isSmall
							onClick={() => void copyCells('TSV', rowsOf(rows()), true)}
						>
							<Copy size={13} />
						</IconButton>
						<IconButton
							label={`Save the ${scope()} as CSV`}
							isSmall
							onClick={() => saveCells(`${scope().replaceAll(' ', '-')}.csv`, rowsOf(rows()))}
						>
							<Download size={14} />
						</IconButton>
					</>
				)
			}}
		</Show>
	)
}

/** The engine's code, unless its message contains it. */
function unsaidCode({ message, engineCode }: Pick<Fault, 'message' | 'engineCode'>): string | undefined {
	return engineCode !== undefined && message.includes(engineCode) ? undefined : engineCode
}

/** How a result came about, its views, and what copies and saves it. */
export function PartBar(props: { readonly shown: ShownPart; readonly children: JSX.Element }): JSX.Element {
	const { part, views, answer, rows, model } = props.shown
	const { rawCutFrom } = part
	const isJson = !views.includes('text')
	return (
		<div class="result-bar">
			{props.children}
			<Show when={answer.length > 0 || rows}>
				<Show when={views.length > 1}>
					<Segmented
						label="Show the result as"
						options={views.map(id => ({ id, label: words[id] }))}
						value={props.shown.view()}
						onChange={props.shown.setView}
					/>
				</Show>
				<Show when={answer.length > 0} fallback={<RowTools rows={model?.shown()} />}>
					<span class="quiet">{sizeOf(rawCutFrom ?? answer.length)}</span>
					<CopyButton label="Copy the answer" size={13} text={() => new TextDecoder().decode(answer)} />
					<IconButton
						label="Save the answer to a file"
						isSmall
						onClick={() =>
							isJson
								? saveFile('answer.json', 'application/json', answer)
								: saveFile('answer.txt', 'text/plain', answer)
						}
					>
						<Download size={14} />
					</IconButton>
				</Show>
			</Show>
		</div>
	)
}

/** One result: rows, chart or the whole answer. */
function PartView(props: { readonly shown: ShownPart; readonly uses: RowUses }): JSX.Element {
	const { part, answer, rows, model, chart } = props.shown
	const { rawCutFrom } = part
	return (
		<>
			<For each={part.notices}>{notice => <Notice kind="info">{notice}</Notice>}</For>
			<Show when={rawCutFrom}>
				{whole => (
					<Notice kind="info">
						The answer has {sizeOf(whole())}. Only the first {sizeOf(answer.length)} are shown, so its JSON is cut. Ask
						for less to get all of it.
					</Notice>
				)}
			</Show>
			<Show when={answer.length > 0 || rows}>
				<Switch>
					<Match when={props.shown.view() === 'rows' && model}>
						{model => <ResultGrid model={model()} uses={props.uses} />}
					</Match>
					<Match when={props.shown.view() === 'chart' && chart}>{data => <Chart data={data()} />}</Match>
					<Match when={props.shown.view() === 'json'}>
						<JsonView
							label="the answer"
							bytes={answer}
							unfilterable={rawCutFrom === undefined ? undefined : 'An answer that was cut cannot be filtered.'}
						/>
					</Match>
					<Match when={answer.length > 0}>
						<LongText label="the answer" bytes={answer} isJson={false} />
					</Match>
				</Switch>
			</Show>
		</>
	)
}

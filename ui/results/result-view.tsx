import Copy from 'lucide-solid/icons/copy'
import Download from 'lucide-solid/icons/download'
import { createMemo, createSignal, For, type JSX, Match, on, Show, Switch } from 'solid-js'
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
import {
	type Answer,
	answerOf,
	type ResultRows,
	scopeOf,
	statusOf,
	type ResultView as View,
	viewsOf,
} from './answer.ts'
import { Chart } from './chart.tsx'
import { chartOf } from './chart-points.ts'
import { copyCells, rowsOf, saveCells } from './copy-cells.ts'
import type { OriginRows } from './origins.ts'
import { ResultGrid } from './result-grid.tsx'
import { createResultModel } from './result-model.ts'

const words: Readonly<Record<View, string>> = { rows: 'Rows', chart: 'Chart', json: 'JSON', text: 'Text' }

/** The results of a statement, and what else the engine said. */
export function ResultView(props: {
	readonly result: ConsoleResult
	/** Adds a statement to the console. */
	onStatement(statement: string): void
	/** Opens rows of a table. */
	onRows(table: string, filters: OriginRows['filters']): void
}): JSX.Element {
	const { console, rowNoun } = useEngine()
	return (
		<>
			<Show when={props.result.fault}>{fault => <FaultNotice fault={fault()} />}</Show>
			<PartView part={props.result} onRows={props.onRows} />
			<For each={props.result.more ?? []}>
				{part => (
					<section class="result-part" aria-label={statusOf(part, rowNoun)}>
						<p class="quiet">
							{statusOf(part, rowNoun)} <Affected part={part} />
						</p>
						<PartView part={part} onRows={props.onRows} />
					</section>
				)}
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

/** The engine's words, with its hint and its code. */
function FaultNotice(props: { readonly fault: Fault }): JSX.Element {
	return (
		<Notice kind="error">
			{props.fault.message}
			<Show when={props.fault.hint}>{hint => <span class="fault-hint">{hint()}</span>}</Show>
			<Show when={unsaidCode(props.fault)}>{code => <code class="fault-code">{code()}</code>}</Show>
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
function unsaidCode({ message, engineCode }: Fault): string | undefined {
	return engineCode !== undefined && message.includes(engineCode) ? undefined : engineCode
}

/** One result: rows, chart and the whole answer. */
function PartView(props: {
	readonly part: Answer
	onRows(table: string, filters: OriginRows['filters']): void
}): JSX.Element {
	const views = () => viewsOf(props.part)
	const [chosen, setChosen] = createSignal<View>()
	const view = () => chosen() ?? views()[0] ?? 'text'
	const answer = createMemo(() => answerOf(props.part))
	const rows = () => (props.part.body.view === 'rows' ? props.part.body : undefined)
	const engine = useEngine()
	/** What is shown, copied and saved. */
	const model = createMemo(on(rows, found => found && createResultModel(found, engine)))
	const chart = createMemo(() => {
		const shown = rows()
		return shown && chartOf(shown)
	})
	const isJson = () => !views().includes('text')
	const cutFrom = () => props.part.rawCutFrom

	return (
		<>
			<For each={props.part.notices}>{notice => <Notice kind="info">{notice}</Notice>}</For>
			<Show when={cutFrom()}>
				{whole => (
					<Notice kind="info">
						The answer has {sizeOf(whole())}. Only the first {sizeOf(answer().length)} are shown, so its JSON is cut.
						Ask for less to get all of it.
					</Notice>
				)}
			</Show>
			<Show when={answer().length > 0 || rows()}>
				<div class="result-bar">
					<Show when={views().length > 1}>
						<Segmented
							label="Show the result as"
							options={views().map(id => ({ id, label: words[id] }))}
							value={view()}
							onChange={setChosen}
						/>
					</Show>
					<span class="result-tools">
						<Show when={answer().length > 0} fallback={<RowTools rows={model()?.shown()} />}>
							<span class="quiet">{sizeOf(cutFrom() ?? answer().length)}</span>
							<CopyButton label="Copy the answer" size={13} text={() => new TextDecoder().decode(answer())} />
							<IconButton
								label="Save the answer to a file"
								isSmall
								onClick={() =>
									isJson()
										? saveFile('answer.json', 'application/json', answer())
										: saveFile('answer.txt', 'text/plain', answer())
								}
							>
								<Download size={14} />
							</IconButton>
						</Show>
					</span>
				</div>
				<Switch>
					<Match when={view() === 'rows' && model()} keyed>
						{model => <ResultGrid model={model} onRows={props.onRows} />}
					</Match>
					<Match when={view() === 'chart' && chart()}>{data => <Chart data={data()} />}</Match>
					<Match when={view() === 'json'}>
						<JsonView
							label="the answer"
							bytes={answer()}
							unfilterable={cutFrom() === undefined ? undefined : 'An answer that was cut cannot be filtered.'}
						/>
					</Match>
					<Match when={answer().length > 0}>
						<LongText label="the answer" bytes={answer()} isJson={false} />
					</Match>
				</Switch>
			</Show>
		</>
	)
}

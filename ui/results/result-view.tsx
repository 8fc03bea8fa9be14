import Download from 'lucide-solid/icons/download'
import { createMemo, createSignal, For, type JSX, Match, Show, Switch } from 'solid-js'
import type { ConsoleResult } from '../../host/api/api.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { FactSectionView } from '../controls/fact-section.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { saveFile } from '../controls/save-file.ts'
import { Segmented } from '../controls/segmented.tsx'
import { JsonView } from '../json/json-view.tsx'
import { LongText } from '../json/long-text.tsx'
import { bytes as sizeOf } from '../words/format.ts'
import { answerOf, type ResultView as View, viewsOf } from './answer.ts'
import { Chart } from './chart.tsx'
import { RowsTable } from './rows-table.tsx'

const words: Readonly<Record<View, string>> = { rows: 'Rows', chart: 'Chart', json: 'JSON', text: 'Text' }

/** The result of a statement: rows, chart and the whole answer. */
export function ResultView(props: {
	readonly result: ConsoleResult
	/** Adds a statement to the console. */
	onStatement(statement: string): void
}): JSX.Element {
	const views = () => viewsOf(props.result)
	const [chosen, setChosen] = createSignal<View>()
	const view = () => chosen() ?? views()[0] ?? 'text'
	const answer = createMemo(() => answerOf(props.result))
	const rows = () => (props.result.body.view === 'rows' ? props.result.body : undefined)
	const isJson = () => props.result.body.view !== 'text'
	const cutFrom = () => props.result.rawCutFrom

	return (
		<>
			<For each={props.result.notices}>{notice => <Notice kind="info">{notice}</Notice>}</For>
			<Show when={props.result.fault}>{fault => <Notice kind="error">{fault().message}</Notice>}</Show>
			<Show when={cutFrom()}>
				{whole => (
					<Notice kind="info">
						The answer has {sizeOf(whole())}, and no more than {sizeOf(answer().length)} of it can be brought here: its
						The JSON is cut there. Request less to get all of it.
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
					</span>
				</div>
				<Switch>
					<Match when={view() === 'rows' && rows()}>{rows => <RowsTable rows={rows()} />}</Match>
					<Match when={view() === 'chart' && rows()}>{rows => <Chart rows={rows()} />}</Match>
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
			<For each={props.result.panels ?? []}>
				{panel => <FactSectionView section={panel} onConsole={props.onStatement} />}
			</For>
		</>
	)
}

import { createEffect, createMemo, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import type { ConnectionView, ImportPlan } from '../../../host/api/api.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { Failure } from '../../controls/failure.tsx'
import { Notice } from '../../controls/notice.tsx'
import { ProgressBar } from '../../controls/progress-bar.tsx'
import { WriteSheet, type WrittenConnection } from '../../controls/write-sheet.tsx'
import { useEngine } from '../../state/engine.tsx'
import { useHost } from '../../state/host.tsx'
import { createTask } from '../../state/task.ts'
import { bytes, counted, countText } from '../../words/format.ts'
import { type FileFormat, guessFormat } from './guess-format.ts'
import { ImportAccountView } from './import-account.tsx'
import { ImportFormat } from './import-format.tsx'
import { ImportPreview } from './import-preview.tsx'
import { base64Of, importFile } from './importing.ts'

const headBytes = 64 * 1024
/** The host reads no longer row. */
const mostHeadBytes = 16 * 1024 * 1024

const conflictLabels = {
	fail: 'Fails, and stays as it is',
	skip: 'Is skipped, and stays as it is',
	replace: 'Is replaced',
} as const

/** Imports rows from a file into a table: preview, columns, progress and account. */
export function ImportDialog(props: {
	readonly target: { readonly connection: string; readonly table: string }
	readonly safeMode: ConnectionView['safeMode']
	readonly connection: WrittenConnection
	/** Rows were imported. */
	onImported(): void
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun, columnNoun, imports, savesWhole } = useEngine()
	const [file, setFile] = createSignal<File>()
	const [format, setFormat] = createSignal<FileFormat>()
	const [mapping, setMapping] = createSignal<Readonly<Record<string, string>>>({})
	/** The user set more than the file, which is soon chosen again. */
	const [isSet, setSet] = createSignal(false)
	/** Whether the rows that fail are left out, where all rows are imported together. */
	const [skipsBad, setSkipsBad] = createSignal(false)
	const [onConflict, setConflict] = createSignal<ImportPlan['onConflict']>('fail')

	const choosing = createTask(async (_, chosen: File) => {
		importing.clear()
		setSkipsBad(false)
		setFormat(guessFormat(chosen.name, await chosen.slice(0, headBytes).text()))
		setFile(chosen)
	})
	const reading = createTask(async (call, chosen: File, format: FileFormat) => {
		for (let most = headBytes; ; most = Math.min(most * 8, mostHeadBytes)) {
			const head = await base64Of(chosen.slice(0, most))
			const params = { ...props.target, file: described(chosen), format, head }
			const preview = await host.call('imports.preview', params, call)
			// The first row may be longer than what was read.
			if (preview.rows.length === 0 && most < Math.min(chosen.size, mostHeadBytes)) continue
			setMapping(preview.mapping)
			return preview
		}
	})
	createEffect(
		on([file, format], ([chosen, format]) => {
			reading.clear()
			if (chosen && format) void reading.run(chosen, format)
		}),
	)

	const plan = createMemo((): ImportPlan | undefined => {
		const [chosen, read] = [file(), format()]
		const pairs = Object.entries(mapping()).map(([field, column]) => ({ field, column }))
		if (!chosen || !read || !reading.value() || pairs.length === 0) return undefined
		return {
			...props.target,
			file: described(chosen),
			format: read,
			mapping: pairs,
			onConflict: onConflict(),
			skipsBad: skipsBad(),
		}
	})
	const missing = () => {
		const mapped = new Set(Object.values(mapping()))
		const needed = reading.value()?.columns.filter(({ isRequired, name }) => isRequired && !mapped.has(name)) ?? []
		return needed.map(({ name }) => name).join(', ')
	}
	/** `people.csv, 2 kB, about 1,000 rows`. */
	const what = () => {
		const [chosen, read] = [file(), reading.value()]
		return chosen && read
			? `${chosen.name}, ${bytes(chosen.size)}, ${countText(read.count)} ${read.count.value === 1 ? rowNoun.one : rowNoun.many}`
			: ''
	}

	function map(field: string, column: string): void {
		setSet(true)
		// A column takes the values of one field.
		const others = Object.entries(mapping()).filter(([other, taken]) => other !== field && taken !== column)
		setMapping(Object.fromEntries(column === '' ? others : [...others, [field, column]]))
	}

	const reviewing = createTask((call, shown: ImportPlan) => host.call('imports.review', shown, call))
	let cancelling = new AbortController()
	const [isCancelled, setCancelled] = createSignal(false)
	function cancel(): void {
		setCancelled(true)
		cancelling.abort()
	}
	onCleanup(cancel)
	const importing = createTask(async ({ onProgress }, confirmed: ImportPlan, typed: string | undefined) => {
		const chosen = file()
		if (!chosen) return undefined
		cancelling = new AbortController()
		setCancelled(false)
		const said = { review: reviewing.value()?.review, typed }
		reviewing.clear()
		const { signal } = cancelling
		const tell = ({ bytes: done, rows }: { readonly bytes: number; readonly rows: number }) =>
			onProgress({ done, total: chosen.size, message: `Read ${counted(rows, rowNoun)}` })
		try {
			return await importFile({ host, file: chosen, plan: confirmed, said, signal, onProgress: tell })
		} finally {
			props.onImported()
		}
	})
	const conflictWords = () =>
		`A ${rowNoun.one} whose key exists ${conflictLabels[onConflict()].toLowerCase()}.${skipsBad() ? ` ${rowNoun.many} that fail are left out.` : ''}`
	const isDestructive = () => onConflict() === 'replace'

	function start(event: Event): void {
		event.preventDefault()
		const shown = plan()
		if (!shown || importing.isRunning()) return
		if (props.safeMode === 'free' && !isDestructive()) void importing.run(shown, undefined)
		else void reviewing.run(shown)
	}
	/** The rows that nothing is wrong with, after an import that stored none because of others. */
	const good = () => {
		const account = importing.value()
		if (!savesWhole || account?.state !== 'failed' || account.imported + account.unknown > 0 || skipsBad()) return 0
		return account.failed > 0 ? account.rows - account.failed - account.skipped : 0
	}
	function importGood(event: Event): void {
		setSkipsBad(true)
		start(event)
	}
	/** A running import is ended by its own button, so that no slip of a key ends it. */
	const close = () => !importing.isRunning() && props.onClose()

	return (
		<>
			<Dialog
				title={`Import into ${props.target.table}`}
				size="wide"
				isHeld={isSet() && !importing.value()}
				onClose={close}
			>
				<form class="form" onSubmit={start} novalidate>
					<div class="dialog-body">
						<FileField file={file()} isDisabled={importing.isRunning()} onFile={chosen => void choosing.run(chosen)} />
						<Show when={!importing.isRunning() && !importing.value()}>
							<Show when={format()}>{read => <ImportFormat format={read()} onChange={setFormat} />}</Show>
							<Failure of={choosing} />
							<Failure of={reading} />
							<Show when={reading.value()}>
								{read => (
									<>
										<p class="quiet">{what()}</p>
										<ImportPreview preview={read()} columns={read().columns} mapping={mapping()} onMap={map} />
										<Show when={missing()}>
											{names => (
												<Notice kind="error">
													{`A new ${rowNoun.one} needs a value here: ${names()}. Choose what is imported there.`}
												</Notice>
											)}
										</Show>
										<Show when={imports !== null && imports.conflicts.length > 0 && imports}>
											{known => (
												<div class="field">
													<label for="import-conflict">{`A ${rowNoun.one} whose key exists`}</label>
													<select
														id="import-conflict"
														value={onConflict()}
														onChange={event => {
															setSet(true)
															setConflict(event.currentTarget.value as ImportPlan['onConflict'])
														}}
													>
														<For each={['fail', ...known().conflicts] as const}>
															{rule => <option value={rule}>{conflictLabels[rule]}</option>}
														</For>
													</select>
												</div>
											)}
										</Show>
										<Show when={savesWhole}>
											<p class="quiet">{`All ${rowNoun.many} are imported together, or none if one fails.`}</p>
										</Show>
									</>
								)}
							</Show>
						</Show>
						<Show when={importing.isRunning()}>
							<ProgressBar progress={importing.progress()} label="Importing" />
						</Show>
						<Failure of={reviewing} />
						<Show when={importing.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
						<Show when={!importing.isRunning() && importing.value()}>
							{account => <ImportAccountView account={account()} fileName={file()?.name ?? ''} />}
						</Show>
					</div>
					<footer class="dialog-foot">
						<Show
							when={importing.isRunning()}
							fallback={
								<button type="button" class="button" onClick={close}>
									Close
								</button>
							}
						>
							<button type="button" class="button" disabled={isCancelled()} onClick={cancel}>
								Cancel
							</button>
						</Show>
						<Show when={!importing.isRunning() && good()}>
							{rows => (
								<button type="button" class="button primary" disabled={reviewing.isRunning()} onClick={importGood}>
									{`Import the other ${counted(rows(), rowNoun)}`}
								</button>
							)}
						</Show>
						<Show when={!importing.value()}>
							<button
								type="submit"
								class="button primary"
								disabled={plan() === undefined || importing.isRunning() || reviewing.isRunning()}
							>
								Import
							</button>
						</Show>
					</footer>
				</form>
			</Dialog>
			<Show when={reviewing.value() && plan()}>
				{shown => (
					<WriteSheet
						title={`Import into ${props.target.table}`}
						words={`${what()}, from each name in the file to a ${columnNoun.one}. ${conflictWords()}`}
						writes={[
							{
								text: shown()
									.mapping.map(({ field, column }) => `${field} → ${column}`)
									.join('\n'),
							},
						]}
						connection={props.connection}
						destroyed={isDestructive() ? props.target.table : undefined}
						yes="Import"
						onYes={typed => void importing.run(shown(), typed)}
						onNo={reviewing.clear}
					/>
				)}
			</Show>
		</>
	)
}

const described = ({ name, size: sizeBytes }: File): ImportPlan['file'] => ({ name, sizeBytes })

/** The input lies over its words, so it takes a click, a key and a file that is dropped. */
function FileField(props: {
	readonly file: Pick<File, 'name'> | undefined
	readonly isDisabled: boolean
	onFile(file: File): void
}): JSX.Element {
	return (
		<div class="field">
			<label for="import-file">File</label>
			<div class="file-field">
				<input
					id="import-file"
					type="file"
					accept=".csv,.tsv,.txt,.ndjson,.jsonl,.json"
					disabled={props.isDisabled}
					// Without this, the same file could not be chosen again after it was corrected.
					onClick={event => {
						event.currentTarget.value = ''
					}}
					onChange={event => {
						const [chosen] = event.currentTarget.files ?? []
						if (chosen) props.onFile(chosen)
					}}
				/>
				<span class="button small" aria-hidden="true">
					{props.file ? 'Another file …' : 'Choose a file …'}
				</span>
				<Show when={props.file} fallback={<span class="quiet">or drop it here: CSV, TSV, NDJSON or JSON</span>}>
					{file => (
						<span class="file-field-name" title={file().name}>
							{file().name}
						</span>
					)}
				</Show>
			</div>
		</div>
	)
}

import { batch, createSignal, onCleanup } from 'solid-js'
import type { Assessment, Cell, Namespace, Statement } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import { copyText } from '../controls/copy-button.tsx'
import { showToast } from '../controls/toasts.tsx'
import { keep } from '../state/keep.ts'
import type { PreferenceStore } from '../state/preferences.ts'
import type { Records } from '../state/records.ts'
import type { TabConnection, TabTarget } from '../state/tab.ts'
import { createTask } from '../state/task.ts'
import { counted } from '../words/format.ts'
import { messageOf } from '../words/message-of.ts'
import { namespaceWords, placeWords } from '../words/place-words.ts'
import type { EditorSelection } from './editor.ts'
import { createHistory } from './history.ts'
import { databaseKey, manualKey, nameKey, quotesKey, schemaKey, textKey } from './kept-console.ts'
import { type KeptResult, keepResults } from './kept-results.ts'
import { keepTransaction } from './kept-transaction.ts'
import { createLateEditor } from './late-editor.ts'
import { createRuns, type InNamespace, type Meant } from './runs.ts'
import { createSavedFile } from './saved-file.ts'

/** The console of one connection: its text, which is stored while typing, and its runs. Its owner disposes it. */
export function createConsole({ host, records, place, connection, before, onChanged }: ConsoleOptions) {
	const key = textKey(place)
	// Key of versions that had a single console.
	const stored = records.get(key) ?? (place.number === 1 ? before.get(`console/${connection.id}`) : undefined)
	const [text, setText] = createSignal(typeof stored === 'string' ? stored : '')
	const [name, setName] = createSignal('')
	keep(records, nameKey(place), {
		read: () => name() || null,
		take: value => setName(typeof value === 'string' ? value : ''),
	})
	/** Where statements run, if that is not the database of the connection. */
	const [database, setDatabase] = createSignal<string>()
	/** The schema that they search first, if one is chosen. */
	const [schema, setSchema] = createSignal<string>()
	for (const [key, read, write] of [
		[databaseKey(place), database, setDatabase],
		[schemaKey(place), schema, setSchema],
	] as const) {
		// Another window must not change where a statement runs that is typed here.
		onCleanup(records.own(key))
		keep(records, key, {
			read: () => read() ?? null,
			take: value => write(typeof value === 'string' ? value : undefined),
		})
	}
	/** The session ends, also for the schema it began with, because a statement may have set another search path in it. */
	function setNamespace({ database, schema }: Namespace): void {
		runs.endSession()
		batch(() => {
			setDatabase(database)
			setSchema(schema)
		})
	}
	const [isManual, setManual] = createSignal(false)
	keep(records, manualKey(place), { read: () => isManual() || null, take: value => setManual(value === true) })
	const [asksInQuotes, setAsksInQuotes] = createSignal(false)
	keep(records, quotesKey(place), {
		read: () => asksInQuotes() || null,
		take: value => setAsksInQuotes(value === true),
	})
	const chosen = (): Namespace => ({ database: database(), schema: schema() })
	const within = ({ database, schema }: Namespace): InNamespace => ({
		connection: connection.id,
		...(database !== undefined && { database }),
		...(schema !== undefined && { schema }),
	})
	const on = () => within(chosen())
	const history = createHistory(host, connection)
	/** The text that another tab has put here, and the one of these that has run as it was. */
	let given: string | undefined
	let spent: string | undefined
	const { runText, runMeant, meantIn, ...runs } = createRuns(host, {
		tabConnection: connection,
		session: place.number,
		on,
		beginsWith: () => (isManual() ? connection.engine.console.transaction?.begin : undefined),
		asksInQuotes,
		onKept: () => showToast('Save or discard the changes in this result first.'),
		onTransactionLost: () =>
			showToast(`The transaction of ${title()} was lost with its connection. Check what was saved.`),
		// A statement of a button, or one whose text was edited since, has no place in the text.
		onBegin: meant => editor.follow(meant.filter(({ start, end, typed }) => editor.text().slice(start, end) === typed)),
		onEnd: (meant, run) => {
			const failure = run.failure()
			if (failure !== undefined) editor.markFault(meant, failure)
			else if (meant.typed.trim() === given) spent = given
			history.add(run)
		},
		onStopped: history.add,
		onChanged,
	})

	/** Where statements look up names now: as chosen, or as a statement such as SET or USE has it. */
	const namespace = () => runs.movedFrom(chosen())
	const isTransactionLost = keepTransaction(place, runs)
	const kept = keepResults(records, place, runs.results)

	/** Runs the statement of a kept result again, for its changes. */
	async function showKept(result: KeptResult): Promise<void> {
		const meant = await meantIn(result.typed, undefined, 'Run')
		const [first, ...others] = meant
		if (!first) return askForMissing(() => showKept(result))
		if (others.length > 0 || first.statement.access !== 'read')
			throw new Error('It does not only read, so it is not run again for its changes.')
		await runMeant(meant, { changes: result.changes, settle: rest => kept.settle(result, rest) })
	}

	async function readPasted(text: string): Promise<string | undefined> {
		try {
			const read = await host.call('console.readPasted', { connection: connection.id, text })
			if (read?.notice !== undefined) showToast(read.notice)
			return read?.text
		} catch (error) {
			showToast(messageOf(error))
			return undefined
		}
	}

	const editor = createLateEditor({
		text: text(),
		language: connection.engine.console,
		onChange: changed => {
			setText(changed)
			records.set(key, changed)
		},
		onRun: () => runNearest(),
		readPasted,
		variables: async () => Object.keys(await host.call('variables.read', { connection: connection.id })),
		complete: (text, offset) => host.call('console.complete', { ...within(namespace()), text, offset }),
	})
	// Typing in another window updates the text of both.
	onCleanup(records.onChange(key, text => typeof text === 'string' && editor.take(text)))
	const saved = createSavedFile(place, { host, records, text: { read: text, take: editor.take } })
	const tell = (error: unknown) => void showToast(messageOf(error))
	/** A run that waits for the values of variables. */
	const [waiting, setWaiting] = createSignal<{ readonly variables: readonly string[]; again(): void }>()

	/** Runs the statements of the text, after the user has given the values that they lack. */
	async function run(range?: EditorSelection): Promise<void> {
		await runText(editor.text(), range)
		await askForMissing(() => run(range))
	}
	/** Asks for the values of variables that have none, and does it again with them. */
	async function askForMissing(again: () => Promise<void>): Promise<void> {
		const used = runs.unfilled()
		if (used.length === 0) return
		const known = await host.call('variables.read', { connection: connection.id })
		const variables = used.filter(name => !Object.hasOwn(known, name))
		if (variables.length > 0) setWaiting({ variables, again: () => void again().catch(tell) })
	}
	/** Runs the statement at the cursor or below it, or the selected ones. */
	const runNearest = () => void run(editor.selection()).catch(tell)

	/** Formats the text, unless it changes meanwhile. */
	async function format(): Promise<void> {
		const before = editor.text()
		const formatted = await host.call('console.format', { connection: connection.id, text: before })
		if (editor.text() === before) editor.take(formatted)
	}

	/** Copies a statement in another format. */
	async function copyAs(statement: string): Promise<void> {
		const copied = await host.call('console.copyAs', { connection: connection.id, statement })
		const isCopied = await copyText(copied)
		showToast(isCopied ? `Copied as ${connection.engine.console.copiesAs}.` : 'The browser did not allow the copy.')
	}

	/** Copies rows as the statements that insert them, as the driver writes them for a review. */
	async function copyInserts(table: string, rows: readonly Readonly<Record<string, Cell>>[]): Promise<void> {
		const changes = rows.map(values => ({ kind: 'insert', values }) as const)
		const requests = await host.call('changes.copy', { connection: connection.id, table, changes })
		const end = connection.engine.console.terminator ?? ''
		const isCopied = await copyText(
			requests.map(request => (request.endsWith(end) ? request : request + end)).join('\n'),
		)
		showToast(
			isCopied
				? `Copied ${counted(requests.length, connection.engine.console.noun)}.`
				: 'The browser did not allow the copy.',
		)
	}

	/** Copies the statement at the cursor or below it. */
	async function copyNearest(): Promise<void> {
		const [meant] = await meantIn(editor.text(), editor.selection())
		if (meant) await copyAs(meant.typed)
	}
	/** The statement that was last explained. */
	const [planned, setPlanned] = createSignal<Meant>()
	const explaining = createTask((call, named: Meant['named'], isPlanOnly: boolean) =>
		host.call('console.explain', { ...on(), ...named, isPlanOnly, session: place.number }, call),
	)

	/** Explains the statement at the cursor or below it: by running it if it reads, or by its plan alone. */
	async function explainNearest(isPlanOnly: boolean): Promise<void> {
		const [meant] = await meantIn(editor.text(), editor.selection(), 'Explain')
		if (!meant) return askForMissing(() => explainNearest(isPlanOnly))
		setPlanned(meant)
		await explaining.run(meant.named, isPlanOnly)
	}
	const trying = createTask(async (call, { text, parameters, fault, access }: Statement): Promise<Assessment> => {
		if (fault) return { fault }
		if (access === 'read') return { unrehearsed: 'It only reads, so nothing changes.' }
		const inTransaction = runs.transaction() !== undefined
		const sent = { statement: { text, ...(parameters && { parameters }) }, session: place.number, inTransaction }
		return host.call('console.try', { ...on(), ...sent }, call)
	})

	let lastTried: Meant | undefined

	/** Tries the statement at the cursor or below it: it runs, and all that it did is rolled back. */
	async function tryNearest(): Promise<void> {
		const [meant] = await meantIn(editor.text(), editor.selection(), 'Try')
		if (!meant) return askForMissing(tryNearest)
		await tryStatement(meant)
	}
	function measurePlanned(): void {
		const meant = planned()
		if (meant) void explaining.run(meant.named, false)
	}
	async function tryStatement(meant: Meant | undefined): Promise<void> {
		lastTried = meant
		if (meant) await trying.run(meant.statement)
	}
	const title = () => {
		const usual = place.number === 1 ? 'Console' : `Console ${place.number}`
		return name() || saved.file()?.name || placeWords(usual, namespaceWords(namespace()))
	}
	const { transaction: ends } = connection.engine.console

	return {
		...runs,
		/** Whether the window was reloaded with an open transaction, and nothing ran since. */
		isTransactionLost,
		/** Results that went with their window, with changes that are not saved. */
		kept,
		showKept: (result: KeptResult) => void showKept(result).catch(tell),
		/** Whether writes begin a transaction, which the user commits. */
		isManual,
		toggleManual: () => setManual(is => !is),
		/** Whether values are also asked for inside of texts in quotes. */
		asksInQuotes,
		toggleQuotes: () => setAsksInQuotes(is => !is),
		/** Ends the open transaction with a statement of the engine. */
		commit: () => void (ends && runText(ends.commit).catch(tell)),
		rollBack: () => void (ends && runText(ends.rollback).catch(tell)),
		title,
		/** An empty name restores the default. */
		rename: (to: string) => void setName(to.trim()),
		namespace,
		setNamespace,
		history,
		saved,
		text,
		take: editor.take,
		runNearest,
		runAll: () => void run().catch(tell),
		waiting,
		stopWaiting: () => setWaiting(undefined),
		format: () => void format().catch(tell),
		copyAs: (statement: string) => void copyAs(statement).catch(tell),
		copyInserts: (table: string, rows: readonly Readonly<Record<string, Cell>>[]) =>
			void copyInserts(table, rows).catch(tell),
		resultEdits: { connection, isInTransaction: () => runs.transaction() !== undefined },
		copyNearest: () => void copyNearest().catch(tell),
		explainNearest: () => void explainNearest(false).catch(tell),
		planNearest: () => void explainNearest(true).catch(tell),
		/** The statement that `explained` is about. */
		planned,
		/** Runs the planned statement, which only reads, to measure it. */
		measurePlanned,
		/** The explanation of a statement, while it is shown. */
		explained: () =>
			explaining.isRunning() || (explaining.error() ?? explaining.value()) !== undefined ? explaining : undefined,
		closeExplained: explaining.clear,
		tryNearest: () => void tryNearest().catch(tell),
		tryPlanned: () => void tryStatement(planned()).catch(tell),
		/** The try of a statement, while it is shown. */
		tried: () => (trying.isRunning() || (trying.error() ?? trying.value()) !== undefined ? trying : undefined),
		triedText: () => lastTried?.statement.text ?? '',
		closeTried: trying.clear,
		/** Runs the statement that was tried, after the usual question. */
		runTried: () => void (lastTried && runMeant([lastTried]).catch(tell)),
		/** Whether it has nothing but what another tab has put here and the user has run, which the history keeps. */
		isSpent: () => spent !== undefined && spent === text().trim() && runs.transaction() === undefined,
		/** Shows a text from its start, in a console that is empty, spent, or has this text. */
		show(shown: string): void {
			given = shown.trim()
			if (text().trim() === given && text() !== '') return
			editor.take('')
			editor.append(shown)
		},
		editor,
	}
}
export type OpenConsole = ReturnType<typeof createConsole>

interface ConsoleOptions {
	readonly host: HostConnection
	readonly records: Records
	readonly place: Extract<TabTarget, { readonly kind: 'console' }>
	/** Called after a statement that is not a read. */
	onChanged(): void
	/** Keys where an earlier version may have stored the text. */
	readonly before: PreferenceStore
	readonly connection: TabConnection
}

import type { CompletionResult } from '@codemirror/autocomplete'
import type { HostConnection } from '../api/client.ts'
import type { PreferenceStore } from '../state/preferences.ts'
import type { TabConnection } from '../state/tab.ts'
import { completionOf } from './completion-info.ts'
import { createEditor } from './editor.ts'
import { createRuns } from './runs.ts'

/** The console of one connection: its text, which is kept as it is typed, and what was run. Its owner ends it. */
export function createConsole({ host, preferences, connection }: ConsoleOptions) {
	const key = `console/${connection.id}`
	const stored = preferences.get(key)
	const { runText, ...runs } = createRuns(host, connection.id)

	async function complete(text: string, offset: number): Promise<CompletionResult | null> {
		const { from, options } = await host.call('console.complete', { connection: connection.id, text, offset })
		if (options.length === 0) return null
		return { from, options: options.map(completionOf) }
	}

	const editor = createEditor({
		text: typeof stored === 'string' ? stored : '',
		language: connection.engine.console,
		onChange: text => preferences.set(key, text),
		onRun: () => runNearest(),
		complete,
	})
	/** Runs the statement at the cursor, or those that are selected. */
	const runNearest = () => void runText(editor.text(), editor.selection())

	return {
		...runs,
		runNearest,
		runAll: () => void runText(editor.text()),
		/** Adds a statement at the end and goes there. */
		append: editor.append,
		editor,
	}
}
export type OpenConsole = ReturnType<typeof createConsole>

interface ConsoleOptions {
	readonly host: HostConnection
	readonly preferences: PreferenceStore
	readonly connection: TabConnection
}

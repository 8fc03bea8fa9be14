import { createSignal, getOwner, onCleanup, runWithOwner } from 'solid-js'
import { loadLater } from '../state/later.ts'
import type { createEditor } from './editor.ts'

export type Editor = ReturnType<typeof createEditor>

/** Its code is a third of the window's, so it is a file apart. */
let made: typeof createEditor | undefined
async function loadEditor(): Promise<typeof createEditor> {
	made ??= (await import('./editor.ts')).createEditor
	return made
}
loadLater(loadEditor)

/**
 * The editor of a console, at once if its code is loaded. Else it has the given text until then, and does afterwards what
 * it is asked for meanwhile. It is disposed with its owner.
 */
export function createLateEditor(options: Parameters<typeof createEditor>[0], load = loadEditor) {
	const [editor, setEditor] = createSignal<Editor>()
	const [failure, setFailure] = createSignal<{ readonly error: unknown }>()
	const waiting: ((editor: Editor) => void)[] = []
	const withEditor = (use: (editor: Editor) => void) => {
		const now = editor()
		if (now) use(now)
		else waiting.push(use)
	}
	function begin(create: typeof createEditor): void {
		const own = create(options)
		setEditor(own)
		for (const use of waiting) use(own)
	}
	if (made) begin(made)
	else {
		const owner = getOwner()
		let isDisposed = false
		onCleanup(() => {
			isDisposed = true
		})
		load().then(
			create => {
				if (!isDisposed) runWithOwner(owner, () => begin(create))
			},
			(error: unknown) => setFailure({ error }),
		)
	}
	return {
		/** The element that contains it. @throws why its code could not be loaded */
		dom() {
			const failed = failure()
			if (failed) throw failed.error
			return editor()?.dom
		},
		text: () => editor()?.text() ?? options.text,
		selection: () => editor()?.selection() ?? { from: 0, to: 0 },
		focus: () => withEditor(own => own.focus()),
		find: () => withEditor(own => own.find()),
		follow: (statements: Parameters<Editor['follow']>[0]) => withEditor(own => own.follow(statements)),
		markFault: (...fault: Parameters<Editor['markFault']>) => withEditor(own => own.markFault(...fault)),
		take: (text: string) => withEditor(own => own.take(text)),
		append: (text: string) => withEditor(own => own.append(text)),
	}
}

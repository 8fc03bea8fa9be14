import { goToNextChunk, goToPreviousChunk, MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import ChevronUp from 'lucide-solid/icons/chevron-up'
import { createSignal, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import { Failure } from '../controls/failure.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { codeViewExtensions } from '../controls/text-editor/code-view.ts'
import { jsonLanguage, textColours } from '../controls/text-editor/json-language.ts'
import { JsonLayout } from '../json/lay-out.ts'
import { useEngine } from '../state/engine.tsx'
import { useHost } from '../state/host.tsx'
import { createReading } from '../state/task.ts'
import { counted } from '../words/format.ts'

/**
 * The time of a comparison grows with the square of the differences, so only the beginnings of longer documents are
 * compared.
 */
const comparedCharacters = 300_000
const longestMs = 80
/** Short documents compare fast, and on a busy machine a time limit would merge all differences into one. */
const shortCharacters = 20_000

export interface Compared {
	readonly id: string
	/** Its label. */
	readonly name: string
}

/** Two documents side by side with their differences. */
export function CompareDialog(props: {
	readonly connection: string
	readonly table: string
	readonly rows: readonly [Compared, Compared]
	onClose(): void
}): JSX.Element {
	const host = useHost()
	const { rowNoun } = useEngine()
	const reading = createReading(async call => {
		const read = async ({ id, name }: Compared) => {
			const { raw } = await host.call(
				'rows.read',
				{ connection: props.connection, table: props.table, rowId: id },
				call,
			)
			return { name, ...beginningOf(raw) }
		}
		const [one, other] = props.rows
		return [await read(one), await read(other)] as const
	})
	return (
		<Dialog title={`Compare two ${rowNoun.many.toLowerCase()}`} size="wide" onClose={props.onClose}>
			<div class="dialog-body">
				<Failure of={reading} />
				<Show when={reading.value()} fallback={<p class="quiet">Reading …</p>} keyed>
					{([one, other]) => <SideBySide one={one} other={other} />}
				</Show>
			</div>
			<footer class="dialog-foot">
				<button type="button" class="button" onClick={props.onClose}>
					Close
				</button>
			</footer>
		</Dialog>
	)
}

interface Side {
	readonly name: string
	readonly text: string
	readonly isCut: boolean
}

function SideBySide(props: { readonly one: Side; readonly other: Side }): JSX.Element {
	let place!: HTMLDivElement
	const [view, setView] = createSignal<MergeView>()
	const isShort = () => props.one.text.length + props.other.text.length <= shortCharacters
	onMount(() => {
		const sideOf = ({ name, text }: Side) => ({
			doc: text,
			extensions: [
				codeViewExtensions(name),
				EditorState.readOnly.of(true),
				EditorView.lineWrapping,
				jsonLanguage,
				textColours,
			],
		})
		const merged = new MergeView({
			a: sideOf(props.one),
			b: sideOf(props.other),
			parent: place,
			collapseUnchanged: { margin: 3, minSize: 8 },
			diffConfig: isShort() ? { scanLimit: 5_000 } : { scanLimit: 5_000, timeout: longestMs },
		})
		setView(merged)
		onCleanup(() => merged.destroy())
	})
	const words = () => {
		const found = view()?.chunks.length ?? 0
		if (found > 0) return counted(found, { one: 'difference', many: 'differences' })
		return props.one.isCut || props.other.isCut ? 'No difference in the compared part.' : 'They are the same.'
	}
	const step = (go: typeof goToNextChunk) => {
		const target = view()?.b
		if (!target) return
		go({ state: target.state, dispatch: transaction => target.dispatch(transaction, { scrollIntoView: true }) })
	}
	return (
		<>
			<div class="compare-bar">
				<span class="grow" role="status">
					{words()}
				</span>
				<IconButton label="Previous difference" isSmall onClick={() => step(goToPreviousChunk)}>
					<ChevronUp size={14} />
				</IconButton>
				<IconButton label="Next difference" isSmall onClick={() => step(goToNextChunk)}>
					<ChevronDown size={14} />
				</IconButton>
			</div>
			<Show when={props.one.isCut || props.other.isCut}>
				<p class="quiet">Only the first {comparedCharacters.toLocaleString('en')} characters are compared.</p>
			</Show>
			<div class="compare-names">
				<strong>{props.one.name}</strong>
				<strong>{props.other.name}</strong>
			</div>
			<div ref={place} class="compare" />
		</>
	)
}

function beginningOf(bytes: Uint8Array): { readonly text: string; readonly isCut: boolean } {
	const layout = new JsonLayout(bytes)
	const text = layout.next(comparedCharacters).join('\n')
	return { text, isCut: !layout.isDone || layout.hasCutTexts }
}

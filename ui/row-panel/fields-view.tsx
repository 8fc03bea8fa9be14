import { cutText } from '@roundhouse/kit/cut-text'
import { createMemo, type JSX, Show } from 'solid-js'
import { fieldsOpening, JsonTree, type TreeNode } from '../json/tree.ts'
import { TreeView, type ValueUses } from '../json/tree-view.tsx'
import { readStack } from './stack/stack-trace.ts'
import { StackView } from './stack/stack-view.tsx'

/** What a row of a log says first, by the paths of its fields. */
export interface Headline {
	readonly time: string
	readonly level: string | undefined
	readonly message: string
	readonly sources: readonly string[]
	/** Returns the words of a time as the engine writes it: `2024-07-02 00:30:00 UTC`. */
	wordsOfTime(text: string): string
	/** Returns how bad a level is, if its word is known: `error`. */
	levelOf(word: string): string | undefined
}

/** Characters of a message that are shown, and of a text that is read as a stack trace. */
const [mostShown, mostRead] = [20_000, 500_000]

/** A row to read: what happened, the stack trace, then each field with its value. */
export function FieldsView(props: {
	readonly label: string
	readonly bytes: Uint8Array
	/** Absent for rows that are no log. */
	readonly headline: Headline | undefined
	readonly uses: ValueUses
	/** Shown below the fields. */
	readonly children?: JSX.Element
}): JSX.Element {
	const tree = createMemo(() => new JsonTree(props.bytes, fieldsOpening))
	const textAt = (path: string | undefined) => {
		const node = path === undefined ? undefined : tree().find(path)
		return node && tree().copy(node)
	}
	const message = createMemo(() => textAt(props.headline?.message))
	const stack = createMemo(() => findStack(tree()))
	/** Without the frames, which are shown below. */
	const shownMessage = () => {
		const text = message() ?? ''
		return cutText(text === stack()?.text ? (text.split('\n')[0] ?? '') : text, mostShown)
	}
	return (
		<div class="fields-view">
			<Show when={props.headline}>
				{headline => (
					<header class="fields-headline">
						<div class="fields-facts">
							<Show when={textAt(headline().level)}>
								{word => <span class={`level-tag level-${headline().levelOf(word()) ?? 'other'}`}>{word()}</span>}
							</Show>
							<span class="grow">
								{headline()
									.sources.flatMap(path => textAt(path) ?? [])
									.join(' on ')}
							</span>
							<span class="quiet">{headline().wordsOfTime(textAt(headline().time) ?? '')}</span>
						</div>
						<Show when={shownMessage()}>{text => <p class="fields-message">{text()}</p>}</Show>
					</header>
				)}
			</Show>
			<Show when={stack()}>{found => <StackView {...found()} />}</Show>
			<TreeView label={props.label} bytes={props.bytes} uses={props.uses} isOfFields />
			{props.children}
		</div>
	)
}

/** Returns the first text of a document that is a stack trace. */
function findStack(tree: JsonTree) {
	const search = (node: TreeNode): ReturnType<typeof stackOf> =>
		node.kind === 'text' ? stackOf(node) : first(node.children, search)
	function stackOf(node: TreeNode) {
		const { start, end } = node.member
		if (end - start > mostRead) return undefined
		const text = tree.copy(node)
		const stack = text.includes('\n') ? readStack(text) : undefined
		return stack && { stack, text }
	}
	return search(tree.root)
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
	for (const item of items) {
		const found = find(item)
		if (found !== undefined) return found
	}
	return undefined
}

import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createSignal, For, type JSX, Show } from 'solid-js'
import { CopyButton } from '../../controls/copy-button.tsx'
import { counted } from '../../words/format.ts'
import type { Frame } from './frames.ts'
import type { FoldedFrames, Stack } from './stack-trace.ts'

const frameNoun = { one: 'frame', many: 'frames' }

/** A stack trace with its cause first and the frames of libraries folded, or as the text that was logged. */
export function StackView(props: { readonly stack: Stack; readonly text: string }): JSX.Element {
	const [isWhole, setWhole] = createSignal(false)
	const name = () => /^[^\s:]*/.exec(props.stack.cause)?.[0] ?? ''
	return (
		<section class="stack" aria-label="Stack trace">
			<header class="stack-head">
				<strong>Stack trace</strong>
				<span class="quiet grow">{isWhole() ? 'as logged' : 'cause first'}</span>
				<button type="button" class="button tiny" aria-pressed={isWhole()} onClick={() => setWhole(!isWhole())}>
					{isWhole() ? 'Own frames' : `All ${counted(props.stack.count, frameNoun)}`}
				</button>
				<CopyButton label="Copy the stack trace" text={() => props.text} />
			</header>
			<Show when={!isWhole()} fallback={<pre class="stack-lines">{props.text}</pre>}>
				<div class="stack-lines">
					<p class="stack-cause">
						<strong>{name()}</strong>
						{props.stack.cause.slice(name().length)}
					</p>
					<For each={props.stack.parts}>
						{part => (part.frames ? <Folded part={part} /> : <FrameLine frame={part} />)}
					</For>
					<Show when={props.stack.wrappers.length > 0}>
						<p class="quiet">wrapped by {props.stack.wrappers.join(', ')}</p>
					</Show>
				</div>
			</Show>
		</section>
	)
}

function Folded(props: { readonly part: FoldedFrames }): JSX.Element {
	const [isOpen, setOpen] = createSignal(false)
	return (
		<>
			<button type="button" class="stack-fold" aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())}>
				<ChevronRight size={12} />
				{counted(props.part.frames.length, frameNoun)} of {props.part.names.join(', ')}
			</button>
			<Show when={isOpen()}>
				<For each={props.part.frames}>{frame => <FrameLine frame={frame} />}</For>
			</Show>
		</>
	)
}

/** Returns a call with its class, which its file tells apart from another of that name. The tip has it whole. */
const withoutPackage = (call: string) => call.replace(/^(?:[a-z_][\w$]*\.)+(?=[A-Z])/, '')

function FrameLine(props: { readonly frame: Frame }): JSX.Element {
	return (
		<p class="stack-frame" classList={{ own: props.frame.isOwn }} title={`${props.frame.call} ${props.frame.place}`}>
			<span class="quiet">at </span>
			<span class="stack-call">{withoutPackage(props.frame.call)}</span> <span class="quiet">{props.frame.place}</span>
		</p>
	)
}

import Radio from 'lucide-solid/icons/radio'
import { type JSX, Show } from 'solid-js'
import { useCommands } from '../../state/commands.tsx'
import { useEngine } from '../../state/engine.tsx'
import { count, counted } from '../../words/format.ts'
import { keysText } from '../../words/keys.ts'
import type { LiveTail } from './live-tail.ts'

/** Starts and stops the live tail, and goes to rows that arrived out of view. */
export function LiveButton(props: { readonly live: LiveTail; readonly isActive: boolean }): JSX.Element {
	const { rowNoun } = useEngine()
	const { live } = props
	useCommands(() =>
		props.isActive
			? [
					{ id: 'table.live', title: `Live: show new ${rowNoun.many} as they arrive, or not`, run: live.toggle },
					{
						id: 'table.newest',
						title: `Go to the new ${rowNoun.many}`,
						keys: ['Alt+Shift+N'],
						isAvailable: () => live.isOn(),
						run: live.show,
					},
				]
			: [],
	)
	const words = () => counted(live.count(), { one: `new ${rowNoun.one}`, many: `new ${rowNoun.many}` })
	function tip(): string {
		if (!live.isOn()) return `Show new ${rowNoun.many} as they arrive`
		return live.error() === undefined
			? `New ${rowNoun.many} arrive at the top. Elsewhere they are counted.`
			: `The last look for new ${rowNoun.many} failed: ${live.error()}`
	}
	return (
		<>
			<Show when={live.isOn() && live.count() > 0 && live.waitsFor() !== undefined}>
				<button
					type="button"
					class="button small time-new"
					aria-label={words()}
					title={`Go to them (${keysText('Alt+Shift+N')}). They wait because ${live.waitsFor()}.`}
					onClick={() => live.show()}
				>
					{count(live.count())} new<span class="time-new-noun"> {live.count() === 1 ? rowNoun.one : rowNoun.many}</span>
				</button>
			</Show>
			<button
				type="button"
				class="button small time-live"
				classList={{ 'is-failing': live.error() !== undefined && live.isOn() }}
				aria-pressed={live.isOn()}
				title={tip()}
				onClick={() => live.toggle()}
			>
				<Radio size={14} />
				Live
			</button>
		</>
	)
}

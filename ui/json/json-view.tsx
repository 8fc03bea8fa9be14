import Search from 'lucide-solid/icons/search'
import { createSignal, type JSX, Show } from 'solid-js'
import { IconButton } from '../controls/icon-button.tsx'
import { Notice } from '../controls/notice.tsx'
import { createFilter } from './filter.ts'
import { LongText } from './long-text.tsx'

/** JSON to read, whole or filtered by an expression. */
export function JsonView(props: {
	readonly label: string
	readonly bytes: Uint8Array
	/** Why it cannot be filtered. */
	readonly unfilterable?: string | undefined
}): JSX.Element {
	const filter = createFilter(() => props.bytes)
	const [expression, setExpression] = createSignal('')
	let find = () => {}
	const found = () => {
		const answer = filter.answer()
		return answer && 'json' in answer ? answer : undefined
	}
	const fault = () => {
		const answer = filter.answer()
		return answer && 'fault' in answer ? answer.fault : undefined
	}
	return (
		<div class="json-view">
			<search class="json-filter">
				<input
					type="text"
					aria-label={`Filter of ${props.label} (JMESPath)`}
					placeholder="Filter by a JMESPath expression, for example rows[*].id"
					autocomplete="off"
					spellcheck={false}
					disabled={props.unfilterable !== undefined}
					title={props.unfilterable}
					value={expression()}
					onInput={event => {
						setExpression(event.currentTarget.value)
						filter.look(expression())
					}}
				/>
				<span class="quiet json-filter-state" role="status">
					{filter.isBusy() ? 'Searching …' : ''}
				</span>
				<IconButton label={`Find in ${props.label}`} isSmall onClick={() => find()}>
					<Search size={14} />
				</IconButton>
			</search>
			<Show when={fault()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<Show when={found()?.caveat}>{caveat => <Notice kind="info">{caveat()}</Notice>}</Show>
			<Show when={found()?.json ?? props.bytes} keyed>
				{bytes => (
					<LongText
						label={props.label}
						bytes={bytes}
						isJson
						ref={open => {
							find = open
						}}
					/>
				)}
			</Show>
		</div>
	)
}

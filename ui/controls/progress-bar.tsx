import { type JSX, Show } from 'solid-js'
import type { Progress } from '../../host/api/api.ts'
import { bytes, count } from '../words/format.ts'

/** A bar that fills by bytes or another count, and is animated while the total is unknown. */
export function ProgressBar(props: {
	readonly progress: Progress | undefined
	readonly label: string
	/** The unit, if it is not bytes. */
	readonly unit?: string
}): JSX.Element {
	const amount = (size: number) => (props.unit === undefined ? bytes(size) : count(size))
	const percent = () => {
		const { done = 0, total = 0 } = props.progress ?? {}
		return total > 0 ? Math.floor((100 * done) / total) : undefined
	}
	return (
		<div class="progress">
			<div
				class="progress-track"
				role="progressbar"
				aria-label={props.label}
				aria-valuemin={0}
				aria-valuemax={100}
				aria-valuenow={percent()}
			>
				<div
					class="progress-fill"
					classList={{ indeterminate: percent() === undefined }}
					style={{ width: `${percent() ?? 30}%` }}
				/>
			</div>
			<span class="progress-text">
				{props.progress?.message ?? props.label}
				<Show when={props.progress?.total}>
					{total => ` · ${amount(props.progress?.done ?? 0)} of ${amount(total())} ${props.unit ?? ''}`}
				</Show>
			</span>
		</div>
	)
}

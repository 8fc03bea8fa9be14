import Pause from 'lucide-solid/icons/pause'
import Play from 'lucide-solid/icons/play'
import { For, type JSX, Show } from 'solid-js'
import { IconButton } from '../../controls/icon-button.tsx'
import { createAutoRefresh, refreshIntervals } from './auto-refresh.ts'

/** The automatic refresh of a table. It waits while the user works with rows, so that none of them moves. */
export function RefreshChoice(props: {
	/** What the user does with the rows, as the end of a sentence; `undefined` if a refresh moves nothing. */
	busyWith(): string | undefined
	/** Whether to skip a refresh silently. */
	isSilent(): boolean
	/** Whether the user is at another row than the first. */
	isAway(): boolean
	toFirstRow(): void
	refresh(): void
}): JSX.Element {
	const refresh = createAutoRefresh({
		busyWith: () => props.busyWith(),
		isSilent: () => props.isSilent(),
		refresh: () => props.refresh(),
	})
	/** Resumes from the first row, if the user is elsewhere. */
	function resume(): void {
		refresh.setPaused(false)
		if (props.isAway()) props.toFirstRow()
	}
	const resumeLabel = () => (props.isAway() ? 'Refresh from the first row' : 'Resume the refresh')
	/** A narrow window has no room for the reason beside the button. */
	const tipOf = (label: string) =>
		refresh.waitsFor() === undefined ? label : `${label}. Paused: ${refresh.waitsFor()}`
	return (
		<>
			<span class="time-rest">
				<Show when={refresh.waitsFor()}>
					{reason => (
						<span class="quiet" role="status" title={`Paused: ${reason()}`}>
							Paused: {reason()}
						</span>
					)}
				</Show>
			</span>
			<Show when={refresh.seconds() > 0}>
				<Show
					when={refresh.isPaused() || (refresh.waitsFor() !== undefined && props.isAway())}
					fallback={
						<IconButton
							label="Pause the refresh"
							tip={tipOf('Pause the refresh')}
							isSmall
							onClick={() => refresh.setPaused(true)}
						>
							<Pause size={13} />
						</IconButton>
					}
				>
					<IconButton label={resumeLabel()} tip={tipOf(resumeLabel())} isSmall onClick={resume}>
						<Play size={13} />
					</IconButton>
				</Show>
			</Show>
			<select
				aria-label="Automatic refresh"
				classList={{ 'is-set': refresh.seconds() > 0 }}
				onChange={event => {
					refresh.choose(Number(event.currentTarget.value))
					if (refresh.seconds() > 0) resume()
				}}
			>
				<For each={refreshIntervals}>
					{([seconds, label]) => (
						<option value={seconds} selected={seconds === refresh.seconds()}>
							{label}
						</option>
					)}
				</For>
			</select>
		</>
	)
}

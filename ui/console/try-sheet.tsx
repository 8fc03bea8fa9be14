import { type JSX, Match, Show, Switch } from 'solid-js'
import type { Assessment, Statement } from '../../host/api/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { effectTitle } from '../controls/effect-title.ts'
import { EffectView } from '../controls/effect-view.tsx'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { useNouns } from '../state/engine.tsx'
import type { Task } from '../state/task.ts'

/** What a statement does, as a try has shown. Nothing was changed. */
export function TrySheet(props: {
	readonly trying: Task<readonly [Statement], Assessment>
	/** The statement. */
	readonly text: string
	/** The engine's term for its statement. */
	readonly noun: string
	/** Runs the statement, after the usual question. */
	onRun(): void
	onClose(): void
}): JSX.Element {
	const found = () =>
		props.trying.isRunning() || props.trying.error() !== undefined ? undefined : props.trying.value()
	const { rowNoun } = useNouns()
	const title = () => {
		const effect = found()?.effect
		return effect ? effectTitle(effect, rowNoun) : `Try the ${props.noun}`
	}
	return (
		<Dialog title={title()} size="wide" onClose={props.onClose}>
			<div class="dialog-body">
				<Failure of={props.trying} />
				<Show when={props.trying.isRunning()}>
					<p class="quiet" role="status">
						Trying …
					</p>
				</Show>
				<Switch>
					<Match when={found()?.effect}>{effect => <EffectView effect={effect()} text={props.text} />}</Match>
					<Match when={found()?.fault}>{fault => <Notice kind="error">{fault().message}</Notice>}</Match>
					<Match when={found()}>
						{assessed => (
							<>
								<Notice kind="info">{assessed().unrehearsed ?? `This ${props.noun} is not tried.`}</Notice>
								<Show when={assessed().destroys}>
									{destroys => <Notice kind="error">{`It deletes: ${destroys()}.`}</Notice>}
								</Show>
							</>
						)}
					</Match>
				</Switch>
			</div>
			<footer class="dialog-foot">
				<span class="grow" />
				<button type="button" class="button" onClick={() => props.onClose()}>
					{props.trying.isRunning() ? 'Cancel' : 'Close'}
				</button>
				<Show when={found() && !found()?.fault}>
					<button
						type="button"
						class="button primary"
						classList={{ danger: found()?.effect?.tables.some(({ deleted }) => deleted > 0) === true }}
						onClick={() => props.onRun()}
					>
						Run it
					</button>
				</Show>
			</footer>
		</Dialog>
	)
}

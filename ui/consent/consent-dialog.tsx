import ShieldQuestion from 'lucide-solid/icons/shield-question-mark'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import { createResource, type JSX, Match, onCleanup, Show, Switch } from 'solid-js'
import type { PendingQuestion } from '../../host/ui-server/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { counted } from '../parts/format.ts'
import { useHost } from '../state/host.tsx'
import { spelledOut } from './spelled-out.ts'

type StatementQuestion = Extract<PendingQuestion, { kind: 'statement' }>

/** How long a consent can be given for, in minutes. */
const whileMinutes = 15

/** Questions of AI clients, one after the other. Closing the sheet refuses; nothing is approved by a key that was meant for something else. */
export function ConsentDialog(): JSX.Element {
	const host = useHost()
	const [pending, { refetch }] = createResource(() => host.call('consent.pending', {}))
	onCleanup(host.on('consent.changed', () => void refetch()))
	const question = () => pending.latest?.[0]
	const others = () => (pending.latest?.length ?? 1) - 1

	function answer(id: string, isApproved: boolean, forMinutes?: number): void {
		void host.call('consent.answer', { id, isApproved, ...(forMinutes !== undefined && { forMinutes }) })
	}

	return (
		<Show when={question()} keyed>
			{asked => (
				<Dialog
					title={
						asked.kind === 'access' ? 'An AI client wants to use a connection' : 'An AI client wants to run a statement'
					}
					size="wide"
					onClose={() => answer(asked.id, false)}
				>
					<div class="dialog-body consent">
						<div class="consent-lead">
							<ShieldQuestion size={26} />
							<p>
								<strong>{asked.asker.client}</strong> <span class="quiet">with the token “{asked.asker.token}”</span>
								<br />
								on <strong>{asked.connection.name}</strong>
							</p>
						</div>
						<Switch>
							<Match when={asked.kind === 'access'}>
								<p class="quiet">
									It may read what the connection’s settings let AI clients read. You can take this back in Settings, AI
									access.
								</p>
							</Match>
							<Match when={asked.kind === 'statement' && asked}>
								{statement => <Statement question={statement()} />}
							</Match>
						</Switch>
					</div>
					<footer class="dialog-foot">
						<span class="foot-message quiet">
							<Show when={others() > 0}>{others()} more waiting</Show>
						</span>
						<button type="button" class="button" autofocus onClick={() => answer(asked.id, false)}>
							Refuse
						</button>
						<Show when={asked.kind === 'statement' && asked.grantTarget}>
							{target => (
								<button type="button" class="button" onClick={() => answer(asked.id, true, whileMinutes)}>
									Allow {target()} for {whileMinutes} minutes
								</button>
							)}
						</Show>
						<button
							type="button"
							class="button primary"
							classList={{ danger: asked.kind === 'statement' && asked.access === 'destructive' }}
							onClick={() => answer(asked.id, true)}
						>
							{asked.kind === 'access' ? 'Allow' : 'Run it once'}
						</button>
					</footer>
				</Dialog>
			)}
		</Show>
	)
}

function Statement(props: { readonly question: StatementQuestion }): JSX.Element {
	return (
		<>
			<p>
				{props.question.summary}
				<Show when={props.question.affects}>
					{affected => (
						<>
							{' '}
							It touches{' '}
							<strong>
								{affected().isExact ? '' : 'at least '}
								{counted(affected().value, { one: 'document', many: 'documents' })}
							</strong>
							.
						</>
					)}
				</Show>
			</p>
			<Show when={props.question.access === 'destructive'}>
				<p class="consent-warning">
					<TriangleAlert size={15} />
					{props.question.destroys
						? `It destroys ${props.question.destroys}, and cannot be undone.`
						: 'It destroys data, and cannot be undone.'}
				</p>
			</Show>
			<div class="requests">
				<pre>{spelledOut(props.question.statement)}</pre>
			</div>
		</>
	)
}

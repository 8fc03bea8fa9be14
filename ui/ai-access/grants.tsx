import { For, type JSX, onCleanup, Show } from 'solid-js'
import { Failure } from '../controls/failure.tsx'
import { Notice } from '../controls/notice.tsx'
import { useHost } from '../state/host.tsx'
import { createReading, createTask } from '../state/task.ts'
import { moment } from '../words/format.ts'

/** Permissions that last, each with a way to end it. */
export function Grants(): JSX.Element {
	const host = useHost()
	const grants = createReading(call => host.call('ai.grants', {}, call))
	onCleanup(host.on('consent.changed', () => void grants.run()))
	const ending = createTask(async (_, end: () => Promise<null>) => {
		await end()
		await grants.run()
	})
	return (
		<fieldset class="section">
			<legend>Allowed</legend>
			<Failure of={grants} />
			<Show when={ending.error()}>{message => <Notice kind="error">{message()}</Notice>}</Show>
			<ul class="list" aria-label="Allowed">
				<For each={grants.value()?.access ?? []} fallback={<li class="quiet">No client may use a connection yet.</li>}>
					{grant => (
						<li class="card">
							<span class="lines">
								<span>
									“{grant.token}” may use <strong>{grant.connection}</strong>
								</span>
								<span class="quiet">since {moment(grant.grantedAt)}</span>
							</span>
							<button
								type="button"
								class="button"
								onClick={() =>
									void ending.run(() =>
										host.call('ai.revokeAccess', { grantee: grant.grantee, connectionId: grant.connectionId }),
									)
								}
							>
								Revoke
							</button>
						</li>
					)}
				</For>
				<For each={grants.value()?.statements ?? []}>
					{grant => (
						<li class="card">
							<span class="lines">
								<span>
									<code>{grant.target}</code> on <strong>{grant.connection}</strong>
								</span>
								<span class="quiet">
									by {grant.client} with “{grant.token}”, {grant.rowsLeft.toLocaleString('en')} more rows at most, until{' '}
									{new Date(grant.expiresAt).toLocaleTimeString()}
								</span>
							</span>
							<button
								type="button"
								class="button"
								onClick={() => void ending.run(() => host.call('ai.endGrant', { id: grant.id }))}
							>
								End now
							</button>
						</li>
					)}
				</For>
			</ul>
		</fieldset>
	)
}

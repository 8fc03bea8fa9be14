import { createResource, For, type JSX, onCleanup } from 'solid-js'
import { useHost } from '../state/host.tsx'

/** What was allowed to last, each with the way to end it. */
export function Grants(): JSX.Element {
	const host = useHost()
	const [grants, { refetch }] = createResource(() => host.call('ai.grants', {}))
	onCleanup(host.on('consent.changed', () => void refetch()))
	const end = (work: Promise<unknown>) => void work.then(() => refetch())
	return (
		<fieldset class="section">
			<legend>Allowed</legend>
			<ul class="plugin-list" aria-label="Allowed">
				<For
					each={grants.latest?.access ?? []}
					fallback={<li class="quiet">No client has been allowed a connection yet.</li>}
				>
					{grant => (
						<li class="plugin">
							<span class="plugin-text">
								<span>
									“{grant.token}” may use <strong>{grant.connection}</strong>
								</span>
								<span class="quiet">since {new Date(grant.grantedAt).toLocaleString()}</span>
							</span>
							<button
								type="button"
								class="button"
								onClick={() =>
									end(host.call('ai.takeBack', { grantee: grant.grantee, connectionId: grant.connectionId }))
								}
							>
								Take back
							</button>
						</li>
					)}
				</For>
				<For each={grants.latest?.statements ?? []}>
					{grant => (
						<li class="plugin">
							<span class="plugin-text">
								<span>
									<code>{grant.target}</code> on <strong>{grant.connection}</strong>
								</span>
								<span class="quiet">
									by {grant.client} with “{grant.token}”, until {new Date(grant.expiresAt).toLocaleTimeString()}
								</span>
							</span>
							<button type="button" class="button" onClick={() => end(host.call('ai.endGrant', { id: grant.id }))}>
								End now
							</button>
						</li>
					)}
				</For>
			</ul>
		</fieldset>
	)
}

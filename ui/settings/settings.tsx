import { Tabs } from '@kobalte/core/tabs'
import { For, type JSX } from 'solid-js'
import { Dialog } from '../controls/dialog.tsx'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { pages } from './pages.ts'

export function Settings(props: { onClose(): void }): JSX.Element {
	return (
		<Dialog title="Settings" size="wide" onClose={props.onClose}>
			<Tabs class="settings" orientation="vertical" defaultValue="plugins">
				<Tabs.List class="settings-tabs" aria-label="Settings">
					<For each={pages}>
						{({ id, title }) => (
							<Tabs.Trigger class="settings-tab" value={id}>
								{title}
							</Tabs.Trigger>
						)}
					</For>
				</Tabs.List>
				<For each={pages}>
					{({ id, view: View }) => (
						<Tabs.Content class="settings-page" value={id}>
							<FaultBoundary what="This page">
								<View />
							</FaultBoundary>
						</Tabs.Content>
					)}
				</For>
			</Tabs>
		</Dialog>
	)
}

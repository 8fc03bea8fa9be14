import { Tabs } from '@kobalte/core/tabs'
import type { JSX } from 'solid-js'
import { Activity } from '../ai-access/activity.tsx'
import { AiAccess } from '../ai-access/ai-access.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Appearance } from './appearance.tsx'
import { General } from './general.tsx'
import { Plugins } from './plugins.tsx'

export function Settings(props: { onClose(): void }): JSX.Element {
	return (
		<Dialog title="Settings" size="wide" onClose={props.onClose}>
			<Tabs class="settings" orientation="vertical" defaultValue="plugins">
				<Tabs.List class="settings-tabs" aria-label="Settings">
					<Tabs.Trigger class="settings-tab" value="general">
						General
					</Tabs.Trigger>
					<Tabs.Trigger class="settings-tab" value="plugins">
						Plugins
					</Tabs.Trigger>
					<Tabs.Trigger class="settings-tab" value="ai">
						AI access
					</Tabs.Trigger>
					<Tabs.Trigger class="settings-tab" value="activity">
						Activity
					</Tabs.Trigger>
					<Tabs.Trigger class="settings-tab" value="appearance">
						Appearance
					</Tabs.Trigger>
				</Tabs.List>
				<Tabs.Content class="settings-page" value="general">
					<General />
				</Tabs.Content>
				<Tabs.Content class="settings-page" value="plugins">
					<Plugins />
				</Tabs.Content>
				<Tabs.Content class="settings-page" value="ai">
					<AiAccess />
				</Tabs.Content>
				<Tabs.Content class="settings-page" value="activity">
					<Activity />
				</Tabs.Content>
				<Tabs.Content class="settings-page" value="appearance">
					<Appearance />
				</Tabs.Content>
			</Tabs>
		</Dialog>
	)
}

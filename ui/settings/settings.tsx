import { Tabs } from '@kobalte/core/tabs'
import { type Component, For, type JSX } from 'solid-js'
import { Activity, type ActivityProps } from '../ai-access/activity.tsx'
import { AiAccess } from '../ai-access/ai-access.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { FaultBoundary } from '../controls/fault-boundary.tsx'
import { usePreferences } from '../state/host.tsx'
import { Appearance } from './appearance.tsx'
import { General } from './general.tsx'
import { Plugins } from './plugins.tsx'

/** Pages that other parts of the window open. */
export type SettingsPage = 'general' | 'plugins' | 'ai'

/** The pages of the settings, in order. */
const pages: readonly {
	readonly id: string
	readonly title: string
	readonly view: Component<ActivityProps>
}[] = [
	{ id: 'general', title: 'General', view: General },
	{ id: 'plugins', title: 'Plugins', view: Plugins },
	{ id: 'ai', title: 'AI access', view: AiAccess },
	{ id: 'activity', title: 'Activity', view: Activity },
	{ id: 'appearance', title: 'Appearance', view: Appearance },
]

/** Where the page is stored that was used last. */
const lastPage = 'settings/page'

export function Settings(
	props: ActivityProps & { readonly page?: SettingsPage | undefined; onClose(): void },
): JSX.Element {
	const preferences = usePreferences()
	return (
		<Dialog title="Settings" size="wide" onClose={props.onClose}>
			<Tabs
				class="settings"
				orientation="vertical"
				defaultValue={props.page ?? pages.find(({ id }) => id === preferences.get(lastPage))?.id ?? 'general'}
				onChange={page => preferences.set(lastPage, page)}
			>
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
								<View repeat={props.repeat} undo={props.undo} />
							</FaultBoundary>
						</Tabs.Content>
					)}
				</For>
			</Tabs>
		</Dialog>
	)
}

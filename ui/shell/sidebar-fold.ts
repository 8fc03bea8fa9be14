import { type Accessor, createEffect, createSignal, on, onCleanup } from 'solid-js'
import { isPaneBeside } from '../state/panes-beside.ts'
import type { PreferenceStore } from '../state/preferences.ts'
import type { OpenTabs } from './tabs/open-tabs.ts'

/**
 * Whether the sidebar is folded to the rail. In a wide window the user's choice lasts. In a narrow one, or at 200 %, the
 * tabs need the room: there the sidebar unfolds until a tab is chosen. So it does beside a pane in a window that has room
 * for two of rows, pane and sidebar.
 */
export function createSidebarFold(preferences: PreferenceStore, tabs: Pick<OpenTabs, 'tabs' | 'activeId'>) {
	const [isChosen, setChosen] = createSignal(preferences.get('sidebar/folded') === true)
	createEffect(() => preferences.set('sidebar/folded', isChosen()))
	const [isUnfolded, setUnfolded] = createSignal(false)
	createEffect(on(tabs.activeId, () => setUnfolded(false)))
	const isNarrowWindow = matches('(width < 960px)')
	const isTightWindow = matches('(width < 1360px)')
	const isNarrow = () => tabs.tabs().length > 0 && (isNarrowWindow() || (isTightWindow() && isPaneBeside()))
	return {
		isFolded: () => (isNarrow() ? !isUnfolded() : isChosen()),
		toggle: () => void (isNarrow() ? setUnfolded(is => !is) : setChosen(is => !is)),
	}
}

function matches(query: string): Accessor<boolean> {
	const list = matchMedia(query)
	const [isMatching, setMatching] = createSignal(list.matches)
	const change = () => setMatching(list.matches)
	list.addEventListener('change', change)
	onCleanup(() => list.removeEventListener('change', change))
	return isMatching
}

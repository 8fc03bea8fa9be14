import PanelLeftOpen from 'lucide-solid/icons/panel-left-open'
import { createSignal, type JSX, Show } from 'solid-js'
import { IconButton } from '../../../controls/icon-button.tsx'
import { useCommands } from '../../../state/commands.tsx'
import { useEngine } from '../../../state/engine.tsx'
import { usePreferences } from '../../../state/host.tsx'
import type { TableContext, TableFeature } from '../feature.ts'
import { FieldList } from './field-list.tsx'

const key = 'fields/folded'

/** The list of fields at the left of a table in time. Whether it is folded is remembered. */
export function createFieldsFeature({ tab, table, beside }: TableContext): TableFeature {
	const preferences = usePreferences()
	const { columnNoun } = useEngine()
	const [isFolded, setFolded] = createSignal(preferences.get(key) === true)
	function fold(next: boolean): void {
		setFolded(next)
		preferences.set(key, next)
	}
	const title = `Show or hide the list of ${columnNoun.many.toLowerCase()}`
	useCommands(() =>
		tab.isActive && table.isInTime() ? [{ id: 'table.fields', title, run: () => fold(!isFolded()) }] : [],
	)
	return {
		leftPanel: (): JSX.Element => (
			<Show when={table.isInTime()}>
				<Show
					when={!isFolded()}
					fallback={
						<div class="field-rail">
							<IconButton
								label={`Unfold the list of ${columnNoun.many.toLowerCase()}`}
								isSmall
								onClick={() => fold(false)}
							>
								<PanelLeftOpen size={14} />
							</IconButton>
						</div>
					}
				>
					<FieldList table={table} onStatistics={beside.measure} onFold={() => fold(true)} />
				</Show>
			</Show>
		),
	}
}

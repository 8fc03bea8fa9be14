import { For, type JSX } from 'solid-js'
import { setTheme, theme, themes } from '../state/appearance.ts'

const words = { system: 'As the system has it', light: 'Light', dark: 'Dark' } as const

export function Appearance(): JSX.Element {
	return (
		<fieldset class="section">
			<legend>Colours</legend>
			<For each={themes}>
				{name => (
					<label class="radio">
						<input type="radio" name="theme" checked={theme() === name} onChange={() => setTheme(name)} />
						{words[name]}
					</label>
				)}
			</For>
		</fieldset>
	)
}

import { For, type JSX } from 'solid-js'
import { chooseTheme, theme, themes } from '../state/appearance.ts'
import { usePreferences } from '../state/host.tsx'

const words = { system: 'As the system has it', light: 'Light', dark: 'Dark' } as const

export function Appearance(): JSX.Element {
	const preferences = usePreferences()
	return (
		<fieldset class="section">
			<legend>Colours</legend>
			<For each={themes}>
				{name => (
					<label class="option">
						<input
							type="radio"
							name="theme"
							checked={theme() === name}
							onChange={() => chooseTheme(name, preferences)}
						/>
						{words[name]}
					</label>
				)}
			</For>
		</fieldset>
	)
}

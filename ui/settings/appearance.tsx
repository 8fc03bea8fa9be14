import { createUniqueId, For, type JSX, Show } from 'solid-js'
import { Segmented } from '../controls/segmented.tsx'
import {
	accent,
	chooseTheme,
	consoleEnter,
	consoleLines,
	dates,
	density,
	fontSize,
	knowsAccent,
	locale,
	logLetters,
	theme,
	themes,
} from '../state/appearance.ts'
import { usePreferences } from '../state/host.tsx'
import type { PreferenceStore } from '../state/preferences.ts'
import { count, moment, zoneName } from '../words/format.ts'

const words = { system: 'System', light: 'Light', dark: 'Dark' } as const
const accentWords = { own: 'Teal', system: "The system's" } as const
const densityWords = { normal: 'Normal', compact: 'Compact', roomy: 'Roomy' } as const
const sizeWords = { normal: 'Normal', small: 'Small', large: 'Large', larger: 'Larger' } as const

const enterWords = { accepts: 'Accepts the marked completion', line: 'Begins a line' } as const

const letterWords = { find: 'Find in the loaded rows', edit: 'Begin an edit' } as const

const lineWords = { one: 'On one line', wrapped: 'Wrapped' } as const

const dateFormWords = { stored: 'As stored', local: 'With the local time beside it' } as const

interface Choice<T extends string> {
	readonly names: readonly T[]
	chosen(): T
	choose(next: T, preferences: PreferenceStore): void
}

export function Appearance(): JSX.Element {
	const preferences = usePreferences()
	return (
		<>
			<fieldset class="section">
				<legend>Colours</legend>
				<div class="field inline">
					{/* The choice has the name. */}
					<span aria-hidden="true">Theme</span>
					<Segmented
						label="Theme"
						options={themes.map(id => ({ id, label: words[id] }))}
						value={theme()}
						onChange={name => chooseTheme(name, preferences)}
					/>
				</div>
				<Show when={knowsAccent()}>
					<ChoiceField label="Accent" of={accent} word={name => accentWords[name]} />
				</Show>
			</fieldset>
			<fieldset class="section">
				<legend>Size</legend>
				<ChoiceField label="Row height" of={density} word={name => densityWords[name]} />
				<ChoiceField label="Text" of={fontSize} word={name => sizeWords[name]} />
			</fieldset>
			<fieldset class="section">
				<legend>Console</legend>
				<ChoiceField label="Long lines" of={consoleLines} word={name => lineWords[name]} />
				<ChoiceField label="Enter" of={consoleEnter} word={name => enterWords[name]} />
			</fieldset>
			<fieldset class="section">
				<legend>Logs</legend>
				<ChoiceField
					label="Typing at a cell"
					of={logLetters}
					word={name => letterWords[name]}
					help="Enter and a double click edit in every table."
				/>
			</fieldset>
			<fieldset class="section">
				<legend>Numbers and dates</legend>
				<ChoiceField
					label="Format"
					of={locale}
					word={name => (name === 'system' ? words.system : placeOf(name))}
					help={`${count(1_234_567)} · ${moment(Date.UTC(2026, 11, 24, 18, 30))}. Copies and exports keep the engine's format.`}
				/>
				<ChoiceField
					label="Dates in the grid"
					of={dates}
					word={name => dateFormWords[name]}
					help={`Local time is that of ${zoneName()}. Editors and copies keep the stored date.`}
				/>
			</fieldset>
		</>
	)
}

const placeOf = (tag: string) => new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag

function ChoiceField<T extends string>(props: {
	readonly label: string
	readonly of: Choice<T>
	readonly help?: string
	word(name: T): string
}): JSX.Element {
	const id = createUniqueId()
	const preferences = usePreferences()
	return (
		<div class="field">
			<label for={id}>{props.label}</label>
			<select
				id={id}
				aria-describedby={props.help && `${id}-help`}
				onChange={event => {
					const next = props.of.names.find(name => name === event.currentTarget.value)
					if (next !== undefined) props.of.choose(next, preferences)
				}}
			>
				<For each={props.of.names}>
					{name => (
						<option value={name} selected={props.of.chosen() === name}>
							{props.word(name)}
						</option>
					)}
				</For>
			</select>
			{props.help && (
				<p id={`${id}-help`} class="field-help">
					{props.help}
				</p>
			)}
		</div>
	)
}

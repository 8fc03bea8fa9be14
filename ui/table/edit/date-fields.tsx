import { createMemo, createSignal, createUniqueId, For, type JSX, onMount, Show } from 'solid-js'
import { type DateText, fromZone, inZone, printDate, readDate, suggestedZones } from './date-text.ts'

/** A date by its parts, in a zone that the user chooses. The stored value keeps its offset and digits. */
export function DateFields(props: {
	readonly name: string
	readonly text: string
	onChange(text: string): void
}): JSX.Element {
	const id = createUniqueId()
	let first!: HTMLInputElement
	onMount(() => first.focus())
	const stored = createMemo(() => readDate(props.text) ?? { date: '', time: '', fraction: '', offset: 'Z' })
	const hasZone = () => stored().offset !== '' && stored().time !== ''
	const zones = suggestedZones(stored().offset)
	const [zone, setZone] = createSignal(zones[0] ?? 'UTC')
	const shown = () => (stored().date === '' ? stored() : inZone(stored(), zone()))

	function change(part: Partial<DateText>): void {
		const next = { ...shown(), ...part }
		// A day that gets a time is in UTC, as engines read it; a time without a zone stays without one.
		const offset = stored().offset || (stored().time === '' ? 'Z' : '')
		if (next.date !== '') props.onChange(printDate(fromZone(next, zone(), next.time === '' ? '' : offset)))
	}
	const onTime = (text: string) => change({ time: text.length === 5 ? `${text}:00` : text })

	return (
		<div class="date-fields">
			<div class="date-parts">
				<label>
					Date
					<input
						ref={first}
						type="date"
						value={shown().date}
						onChange={event => change({ date: event.currentTarget.value })}
					/>
				</label>
				<label>
					Time
					<input type="time" step="1" value={shown().time} onChange={event => onTime(event.currentTarget.value)} />
				</label>
				<label>
					Fraction
					<input
						type="text"
						inputmode="numeric"
						pattern="[0-9]{0,9}"
						maxLength={9}
						placeholder="000"
						value={shown().fraction}
						onInput={event => change({ fraction: event.currentTarget.value.replaceAll(/\D/g, '') })}
					/>
				</label>
				<Show when={hasZone()}>
					<label>
						Zone
						<select value={zone()} onChange={event => setZone(event.currentTarget.value)}>
							<For each={zones}>{name => <option value={name}>{name}</option>}</For>
							<optgroup label="All">
								<For each={Intl.supportedValuesOf('timeZone').filter(name => !zones.includes(name))}>
									{name => <option value={name}>{name}</option>}
								</For>
							</optgroup>
						</select>
					</label>
				</Show>
			</div>
			<label class="date-text" for={id}>
				As stored
			</label>
			<input
				id={id}
				type="text"
				spellcheck={false}
				aria-label={`Value of ${props.name}`}
				value={props.text}
				onInput={event => props.onChange(event.currentTarget.value)}
			/>
		</div>
	)
}

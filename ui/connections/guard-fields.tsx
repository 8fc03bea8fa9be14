import { createUniqueId, For, type JSX } from 'solid-js'
import type { ConnectionView } from '../../host/api/api.ts'
import { type Colour, colourOf, colours } from '../words/connection-colour.ts'
import { capital } from '../words/format.ts'
import { safeModeWords } from '../words/safe-mode.ts'
import { FormFieldView } from './form-field.tsx'

/** Safe mode, production, colour and group of the connection. */
export type Guard = Pick<ConnectionView, 'safeMode' | 'isProduction' | 'group'> & {
	readonly colour?: Colour | undefined
}

export const defaultGuard: Guard = { safeMode: 'free', isProduction: false, group: '' }

const plain = { section: '', required: false }

export function GuardFields(props: {
	readonly guard: Guard
	/** Existing groups. */
	readonly groups: readonly string[]
	onChange(guard: Guard): void
}): JSX.Element {
	const id = createUniqueId()
	const change = (part: Partial<Guard>) => props.onChange({ ...props.guard, ...part })
	/** Production sets "ask"; the user can change it afterwards. */
	function mark(isProduction: boolean): void {
		const safeMode = isProduction && props.guard.safeMode === 'free' ? 'ask' : props.guard.safeMode
		change({ isProduction, safeMode })
	}
	return (
		<>
			<fieldset class="section">
				<legend>Safe mode</legend>
				<FormFieldView
					field={{ ...plain, key: '_production', label: 'Production', type: 'switch' }}
					value={props.guard.isProduction}
					onChange={value => mark(value === true)}
				/>
				<FormFieldView
					field={{
						...plain,
						key: '_safeMode',
						label: 'Writes',
						type: 'select',
						options: (['free', 'ask', 'read-only'] as const).map(value => ({ value, label: safeModeWords[value] })),
						help: 'Applies to the grid and the console. Reads need no confirmation. A production connection also requires you to type a name before data is deleted.',
					}}
					value={props.guard.safeMode}
					onChange={value => change({ safeMode: value as Guard['safeMode'] })}
				/>
			</fieldset>
			<fieldset class="section">
				<legend>In the list</legend>
				<div class="field">
					<span id={`${id}-colour`}>Colour</span>
					<div class="swatches" role="radiogroup" aria-labelledby={`${id}-colour`}>
						<For each={[undefined, ...colours]}>
							{colour => (
								<label class="swatch" title={colour ? capital(colour) : 'By itself'}>
									<input
										type="radio"
										name={`${id}-colour`}
										aria-label={colour ? capital(colour) : 'By itself'}
										checked={props.guard.colour === colour}
										onChange={() => change({ colour })}
									/>
									<span style={colour && { background: colourOf(colour) }} />
								</label>
							)}
						</For>
					</div>
				</div>
				<div class="field">
					<label for={`${id}-group`}>Group</label>
					<input
						id={`${id}-group`}
						autocomplete="off"
						list={`${id}-groups`}
						placeholder="None"
						maxlength={100}
						value={props.guard.group}
						onInput={event => change({ group: event.currentTarget.value })}
					/>
					<datalist id={`${id}-groups`}>
						<For each={props.groups}>{group => <option value={group} />}</For>
					</datalist>
				</div>
			</fieldset>
		</>
	)
}

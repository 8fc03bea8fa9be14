import { createUniqueId, For, type JSX, Show } from 'solid-js'
import type { OfferParameter } from '../../host/api/api.ts'
import { TextInput } from '../controls/text-input.tsx'

const types = {
	text: 'Text',
	number: 'Number',
	integer: 'Whole number',
	boolean: 'Yes or no',
	choice: 'One of a list',
} as const satisfies Readonly<Record<OfferParameter['type'], string>>

/** The values that a client may pass for one `{{name}}`. */
export function OfferParameterFields(props: {
	readonly parameter: OfferParameter
	onChange(parameter: OfferParameter): void
}): JSX.Element {
	const id = createUniqueId()
	const parameter = () => props.parameter
	function retype(type: OfferParameter['type']): void {
		const { choices: _, default: __, ...kept } = parameter()
		props.onChange({ ...kept, type, ...(type === 'choice' && { choices: [] }) })
	}
	function preset(text: string): void {
		const { default: _, ...kept } = parameter()
		props.onChange(text === '' ? kept : { ...kept, default: text })
	}
	const choices = (text: string) =>
		text
			.split(',')
			.map(choice => choice.trim())
			.filter(choice => choice !== '')
	return (
		<fieldset class="section offer-parameter">
			<legend>
				<code>{`{{${parameter().name}}}`}</code>
			</legend>
			<div class="field">
				<label for={`${id}-about`}>Description</label>
				<input
					id={`${id}-about`}
					autocomplete="off"
					maxLength={300}
					value={parameter().description}
					onInput={event => props.onChange({ ...parameter(), description: event.currentTarget.value })}
				/>
			</div>
			<div class="field">
				<label for={`${id}-type`}>Type</label>
				<select
					id={`${id}-type`}
					value={parameter().type}
					onChange={event => retype(event.currentTarget.value as OfferParameter['type'])}
				>
					<For each={Object.entries(types)}>{([type, label]) => <option value={type}>{label}</option>}</For>
				</select>
			</div>
			<Show when={parameter().type === 'choice'}>
				<div class="field">
					<label for={`${id}-choices`}>Choices</label>
					<input
						id={`${id}-choices`}
						autocomplete="off"
						placeholder="asc, desc"
						value={parameter().choices?.join(', ') ?? ''}
						onChange={event => props.onChange({ ...parameter(), choices: choices(event.currentTarget.value) })}
					/>
				</div>
			</Show>
			<div class="field">
				<label for={`${id}-preset`}>Default value</label>
				<Show
					when={parameter().type === 'boolean'}
					fallback={
						<TextInput
							id={`${id}-preset`}
							placeholder="The client must provide it"
							value={parameter().default ?? ''}
							onText={preset}
						/>
					}
				>
					<select
						id={`${id}-preset`}
						value={parameter().default ?? ''}
						onChange={event => preset(event.currentTarget.value)}
					>
						<option value="">The client must provide it</option>
						<option value="true">Yes</option>
						<option value="false">No</option>
					</select>
				</Show>
			</div>
		</fieldset>
	)
}
